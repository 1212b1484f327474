package report

import (
	"fmt"
	"strings"

	"github.com/genaievals/genaievals/internal/calibrate/agreement"
	"github.com/genaievals/genaievals/internal/render"
)

// The plot of a curve, in units of its picture: thresholds to the right, shares
// upwards.
const (
	plotLeft, plotTop     = 44.0, 14.0
	plotWidth, plotHeight = 460.0, 210.0
)

// plot is a threshold curve ready to be drawn.
type plot struct {
	// Paths of the true and false positive rates and of the agreement; empty where
	// one is not defined.
	TruePositives, FalsePositives, Agreement string
	// Configured and Best are where those thresholds stand.
	Configured, Best     float64
	ConfiguredAt, BestAt string
	// BestIs says what is best there.
	BestIs string
	// Summary says in words what the picture shows.
	Summary string
	Ticks   []tick
}

// tick is a mark at an axis: X and Y are of 0…1 to the right and upwards.
type tick struct {
	X, Y float64
	Text string
}

func newPlot(c *agreement.Curve, summary string) *plot {
	if c == nil {
		return nil
	}
	p := &plot{
		TruePositives:  steps(c.Points, func(q agreement.Point) *float64 { return q.TruePositiveRate }),
		FalsePositives: steps(c.Points, func(q agreement.Point) *float64 { return q.FalsePositiveRate }),
		Agreement:      steps(c.Points, func(q agreement.Point) *float64 { return &q.Agreement }),
		Configured:     across(c.Configured.Threshold), Best: across(c.Best.Threshold),
		ConfiguredAt: render.Threshold(c.Configured.Threshold), BestAt: render.Threshold(c.Best.Threshold),
		Summary: summary,
	}
	for i := range 5 {
		share := float64(i) / 4
		p.Ticks = append(p.Ticks, tick{across(share), up(share), fmt.Sprint(share)})
	}
	return p
}

func across(share float64) float64 { return plotLeft + plotWidth*share }
func up(share float64) float64     { return plotTop + plotHeight*(1-share) }

// steps draws a share as the step function that it is: it changes at the scores.
// Of steps too close to be told apart one is drawn.
func steps(points []agreement.Point, of func(agreement.Point) *float64) string {
	var b strings.Builder
	const apart = 0.5 // units
	var lastX, lastY float64
	for i, p := range points {
		share := of(p)
		if share == nil {
			return ""
		}
		y := up(*share)
		if i == 0 {
			lastX, lastY = across(p.Threshold), y
			fmt.Fprintf(&b, "M%.1f %.1f", lastX, y)
			continue
		}
		if x := across(p.Step); y != lastY && (x-lastX >= apart || lastX == plotLeft || i == len(points)-1) {
			fmt.Fprintf(&b, "H%.1fV%.1f", x, y)
			lastX, lastY = x, y
		}
	}
	fmt.Fprintf(&b, "H%.1f", across(1))
	return b.String()
}

// Command benchmarks measures what the project claims.
//
//	go run ./benchmarks -list     names the claims
//	go run ./benchmarks NAME      measures one
//
// The last line is claim=NAME value=V bound=B pass=true|false, and the exit
// code is 1 when the claim falls short. Values are ratios within one run, medians
// of pairs measured in turn, or exact counts, so that they mean the same on
// another machine; but gates_cost, parse_cost and parse_cost_rubric are times, and
// encoder_speed and builtin_footprint shares of fixed times and sizes. The machine
// should be otherwise idle. A claim on verdicts needs labelled public sets, which
// are not in the repository: -data DIR. Without them it is not measured, says so
// in place of the value and of pass, and the exit code is 3.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
)

// claim is a promise with a number.
type claim struct {
	name string
	says string
	// bound is the largest value allowed, or the smallest with atLeast.
	bound   float64
	atLeast bool
	measure func() (float64, error)
	// bubbles says that measure has experiments on a fake clock.
	bubbles bool
}

func (c claim) holds(value float64) bool {
	if c.atLeast {
		return value >= c.bound
	}
	return value <= c.bound
}

func claims() []claim {
	return slices.Concat(doorClaims(), queueClaims(), modeClaims(), pacingClaims(), rateClaims(), troubleClaims(), shareClaims(), gateClaims(), inFlightClaims(), learningClaims(), judgeCallClaims(), parseClaims(), encoderClaims(), headClaims(), groundingClaims(), runClaims(), journalClaims(), pageClaims())
}

func main() {
	if name := os.Getenv(experimentVariable); name != "" {
		for _, c := range claims() {
			if c.name == name {
				runExperiment(c)
			}
		}
	}
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	flags := flag.NewFlagSet("benchmarks", flag.ContinueOnError)
	list := flags.Bool("list", false, "name the claims")
	data := flags.String("data", "", "folder with the labelled public sets, for claims that need them")
	killed := flags.String("killed", "", "internal: be the run of a measurement that is killed, with this journal")
	serve := flags.String("serve", "", "internal: be the judge of a measurement, with this latency")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	switch {
	case *serve != "":
		return serveJudge(*serve)
	case *killed != "":
		return runKilled(*killed)
	case *list:
		for _, c := range claims() {
			fmt.Printf("%-20s %s %-8s %s\n", c.name, sign(c), format(c.bound), c.says)
		}
		return 0
	case flags.NArg() != 1:
		fmt.Fprintln(os.Stderr, "usage: benchmarks -list | NAME")
		return 2
	}
	i := slices.IndexFunc(claims(), func(c claim) bool { return c.name == flags.Arg(0) })
	if i < 0 {
		fmt.Fprintf(os.Stderr, "no claim is named %q; -list names them\n", flags.Arg(0))
		return 2
	}
	if *data != "" {
		os.Setenv(labelledVariable, *data)
	}
	c := claims()[i]
	fmt.Printf("%s: %s\n", c.name, c.says)
	measure := c.measure
	if c.bubbles {
		measure = func() (float64, error) { return measureInBubbles(c) }
	}
	value, err := measure()
	if errors.Is(err, errNeedsData) {
		fmt.Fprintf(os.Stderr, "%s %v\n", c.name, err)
		fmt.Printf("claim=%s value=unknown bound=%s pass=unknown needs=data\n", c.name, format(c.bound))
		return 3
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "measuring %s: %v\n", c.name, err)
		return 2
	}
	fmt.Printf("claim=%s value=%s bound=%s pass=%t\n", c.name, format(value), format(c.bound), c.holds(value))
	if !c.holds(value) {
		return 1
	}
	return 0
}

func sign(c claim) string {
	if c.atLeast {
		return "≥"
	}
	return "≤"
}

func format(v float64) string { return strconv.FormatFloat(v, 'g', 5, 64) }

// median of the values, which it sorts.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

package main

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/genaievals/genaievals/evaluators"
	"github.com/genaievals/genaievals/evaluators/builtin"
)

// sentiment measures on the snippets that VADER was validated with: people
// rated them from -4 to 4. At least 1 counts as positive, at most -1 as
// negative, within 0.5 as neutral; what is between is left out.
func (b *bench) sentiment() error {
	for _, name := range []string{"tweets", "amazonReviewSnippets", "nytEditorialSnippets"} {
		f, ok, err := b.open("sentiment", "vader_"+name+"_GroundTruth.txt")
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		var positive, negative []float64
		var d detection
		right, total := 0, 0
		classes := map[string][2]int{}
		n := -1
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if n++; !b.takes(n) {
				continue
			}
			fields := strings.SplitN(lines.Text(), "\t", 3)
			rating, err := strconv.ParseFloat(fields[1], 64)
			if err != nil || len(fields) < 3 {
				continue
			}
			var want string
			switch {
			case rating >= 1:
				want = "Positive"
			case rating <= -1:
				want = "Negative"
			case rating > -0.5 && rating < 0.5:
				want = "Neutral"
			default:
				continue
			}
			r := b.judge(builtin.MetricSentiment, "", fields[2])
			if d.add(want == "Negative", r, "Negative") {
				d.show(b, r, fields[1], fields[2])
			}
			if r.Outcome != evaluators.OutcomeScored {
				continue
			}
			switch want {
			case "Positive":
				positive = append(positive, r.Score)
			case "Negative":
				negative = append(negative, r.Score)
			}
			total++
			class := classes[want]
			class[1]++
			if r.Label == want {
				right++
				class[0]++
			}
			classes[want] = class
		}
		f.Close()
		d.print(name, "Negative", "other")
		fmt.Printf("  %-34s AUC positive over negative %.3f  three labels: accuracy %s  recall", "", auc(positive, negative), share(right, total))
		for _, l := range []string{"Negative", "Neutral", "Positive"} {
			fmt.Printf(" %s %s", l, share(classes[l][0], classes[l][1]))
		}
		fmt.Println()
	}
	beside("other tweets (TweetEval), trained on all three: AUC .936, three labels: macro recall .641")
	replies, err := b.replies()
	if err != nil {
		return err
	}
	counts := map[string]int{}
	var d detection
	judged := 0
	for n, row := range replies {
		if !b.takes(n) {
			continue
		}
		judged++
		r := b.judge(builtin.MetricSentiment, "", row.Answer)
		counts[cmp.Or(r.Label, "skipped")]++
		if r.Label == "Negative" {
			d.show(b, r, row.Answer)
		}
	}
	fmt.Printf("  %-34s rows %5d ", "ChatGPT replies, unlabelled", judged)
	for _, l := range []string{"Negative", "Neutral", "Positive", "skipped"} {
		fmt.Printf(" %s %s", l, share(counts[l], judged))
	}
	fmt.Println()
	return nil
}

// auc is the chance that one of high scores above one of low; ties count half.
func auc(high, low []float64) float64 {
	slices.Sort(low)
	won := 0.0
	for _, h := range high {
		below, _ := slices.BinarySearch(low, h)
		upTo := below
		for upTo < len(low) && low[upTo] == h {
			upTo++
		}
		won += float64(below) + float64(upTo-below)/2
	}
	return won / float64(len(high)) / float64(len(low))
}

package samples_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/genaievals/genaievals/internal/calibrate/samples"
)

func ExampleRead() {
	file := strings.NewReader(`metric,label,output
toxicity,toxic,"You fool, read the manual."
toxicity,harmless,Please read page 12.
toxicity,0,Please read page 14.
`)
	all, err := samples.Read(file, "answers.csv", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	for s, err := range all {
		var row *samples.RowError
		switch {
		case errors.As(err, &row): // this row is lost, the others are not
			fmt.Println("left out:", row)
		case err != nil:
			fmt.Println(err)
		default:
			fmt.Printf("%s: %s\n", s.Label, s.Case.Output)
		}
	}
	// Output:
	// Toxic: You fool, read the manual.
	// left out: answers.csv, line 3: label "harmless", expected Toxic or Non Toxic, or 1 or 0
	// Non Toxic: Please read page 14.
}

func ExampleBundled() {
	hard := map[string]bool{}
	for s, err := range samples.Bundled() {
		if err != nil {
			fmt.Println(err)
			return
		}
		if s.Metric == "toxicity" && s.Hard {
			hard[s.Label] = true
		}
	}
	fmt.Println(hard["Toxic"], hard["Non Toxic"])
	// Output: true true
}

// Command tokens measures what a judge's prompts take beyond what they ask about.
//
//	go -C benchmarks/tokens run .
//
// It prints the table that docs/benchmarks.md has, and as its last line
// claim=prompt_overhead value=V bound=B pass=true|false; the exit code is 1 when
// the claim falls short. The counts are exact: the vocabulary, o200k_base, is
// part of a library, and nothing is fetched at run time. That library is the
// reason why this is a module of its own.
package main

import (
	"fmt"
	"os"
)

// bound is the most tokens that a metric may take beyond the content.
const bound = 350

func main() {
	o, err := measure()
	if err != nil {
		fmt.Fprintf(os.Stderr, "measuring prompt_overhead: %v\n", err)
		os.Exit(2)
	}
	fmt.Println("prompt_overhead: prompt tokens of a metric beyond the content, the most of all metrics, the schema included")
	fmt.Print(o.table())
	worst := o.worst()
	pass := worst <= bound
	fmt.Printf("claim=prompt_overhead value=%.4g bound=%d pass=%t\n", worst, bound, pass)
	if !pass {
		os.Exit(1)
	}
}

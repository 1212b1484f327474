// Command semantic judges offline with the model: builtin and what it imports.
package main

import (
	"fmt"
	"os"

	"github.com/genaievals/genaievals/benchmarks/footprint/judged"
	_ "github.com/genaievals/genaievals/evaluators/builtin/semantic"
)

func main() {
	if err := judged.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

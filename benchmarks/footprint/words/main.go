// Command words judges offline by word lists: builtin without its model.
package main

import (
	"fmt"
	"os"

	"github.com/genaievals/genaievals/benchmarks/footprint/judged"
)

func main() {
	if err := judged.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

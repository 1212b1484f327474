package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// labelledVariable names the folder with the labelled public sets that claims on
// the quality of verdicts are measured on; -data does as well. They are not in
// this repository.
const labelledVariable = "GENAIEVALS_DATA"

// errNeedsData: a claim was not measured, for want of the labelled sets.
var errNeedsData = errors.New("needs the labelled public sets: -data DIR, or " + labelledVariable)

// labelled returns the folder with the labelled sets.
func labelled() string { return os.Getenv(labelledVariable) }

// absent says what to do about a set that is not there.
func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w (%w)", errNeedsData, err)
	}
	return err
}

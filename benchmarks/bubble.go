package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
)

// Experiments on a fake clock run in a testing/synctest bubble, where time
// passes only when everything waits: an hour takes moments, and every figure is
// exact. A bubble needs a test, and a program becomes one only for good (see
// [testing.Main]); so such a claim is measured by this program started again.

// experimentVariable names the claim that a process was started to measure.
const experimentVariable = "GENAIEVALS_EXPERIMENT"

// valuePrefix begins the line with which that process says the value.
const valuePrefix = "experiment value="

// inTest is the test that this process is, nil in the program itself.
var inTest *testing.T

// bubble runs f on a fake clock.
func bubble(f func() error) (err error) {
	if inTest == nil {
		return fmt.Errorf("this claim is not marked as one that needs a fake clock")
	}
	synctest.Test(inTest, func(*testing.T) { err = f() })
	return err
}

// measureInBubbles measures a claim in a process of its own.
func measureInBubbles(c claim) (value float64, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), experimentVariable+"="+c.name)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	found := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		switch line := lines.Text(); {
		case strings.HasPrefix(line, valuePrefix):
			value, err = strconv.ParseFloat(strings.TrimPrefix(line, valuePrefix), 64)
			found = err == nil
		case line == "PASS" || line == "FAIL":
		default:
			fmt.Println(line)
		}
	}
	if err := cmd.Wait(); err != nil {
		return 0, fmt.Errorf("the experiment's process: %w", err)
	}
	if !found {
		return 0, fmt.Errorf("the experiment's process gave no value")
	}
	return value, nil
}

// runExperiment is that process. It does not return.
func runExperiment(c claim) {
	testing.Main(func(_, _ string) (bool, error) { return true, nil }, []testing.InternalTest{{
		Name: c.name,
		F: func(t *testing.T) {
			inTest = t
			value, err := c.measure()
			if err != nil {
				t.Fatal(err)
			}
			fmt.Printf("%s%v\n", valuePrefix, value)
		},
	}}, nil, nil)
}

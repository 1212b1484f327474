package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/genaievals/genaievals/envconfig"
)

func (p *program) configCommand() *cobra.Command {
	var asJSON, changed bool
	c := &cobra.Command{
		Use:   "config",
		Short: "Show every variable, its value and where it came from",
		Long: `config shows the settings as the library reads them from this environment: each
variable with its value, whether that is the default, or from the environment, or
from an older name; and what was wrong. Secrets are shown as set or not, and no part
of them. It asks nobody anything.`,
		Example: `  # Every variable
  genaievals config

  # What differs from the defaults, and what is wrong
  genaievals config --changed

  # For a machine
  genaievals config --json | jq '.variables[] | select(.source != "default")'`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			env, warnings := envconfig.Load()
			if asJSON {
				return writeConfigJSON(p.stdout, shownVariables(&env, changed), warnings)
			}
			return writeConfig(p.stdout, shownVariables(&env, changed), warnings)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	c.Flags().BoolVar(&changed, "changed", false, "only variables that are not at their default")
	return c
}

// shownVariables are all, or those that are set.
func shownVariables(env *envconfig.Config, changed bool) []envconfig.Variable {
	return slices.DeleteFunc(env.Variables(), func(v envconfig.Variable) bool {
		return changed && v.Source == envconfig.FromDefault
	})
}

// configVariable is a variable as JSON has it.
type configVariable struct {
	Name  string `json:"name"`
	Group string `json:"group"`
	// Value is "(set)" for a secret that is there.
	Value    string   `json:"value"`
	Default  string   `json:"default"`
	Source   string   `json:"source"`
	ReadFrom string   `json:"read_from,omitempty"`
	Secret   bool     `json:"secret,omitempty"`
	OldNames []string `json:"old_names,omitempty"`
	Accepts  string   `json:"accepts"`
	Doc      string   `json:"doc"`
}

type configWarning struct {
	Variable string `json:"variable"`
	Message  string `json:"message"`
}

func writeConfigJSON(w io.Writer, variables []envconfig.Variable, warnings []envconfig.Warning) error {
	out := struct {
		Variables []configVariable `json:"variables"`
		Warnings  []configWarning  `json:"warnings"`
	}{[]configVariable{}, []configWarning{}}
	for _, v := range variables {
		out.Variables = append(out.Variables, configVariable{
			Name: v.Name, Group: v.Group, Value: v.Value, Default: v.Default, Source: string(v.Source), ReadFrom: v.ReadFrom,
			Secret: v.Secret, OldNames: v.OldNames, Accepts: v.Accepts, Doc: v.Doc,
		})
	}
	for _, warning := range warnings {
		if warning.Level >= slog.LevelWarn {
			out.Warnings = append(out.Warnings, configWarning{warning.Name, warning.Message})
		}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(out)
}

func writeConfig(w io.Writer, variables []envconfig.Variable, warnings []envconfig.Warning) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "Variables begin with %s unless they are shown with another name.\n", envconfig.Prefix)
	group := ""
	for _, v := range variables {
		if v.Group != group {
			group = v.Group
			fmt.Fprintf(table, "\n%s\n", group)
		}
		value, from := v.Value, string(v.Source)
		if value == "" {
			value = "–"
		}
		switch {
		case v.Source == envconfig.FromDefault && v.Value == "" && v.Default != "":
			from = "default: " + v.Default
		case v.Source == envconfig.FromOlderName:
			from += " " + v.ReadFrom
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\n", strings.TrimPrefix(v.Name, envconfig.Prefix), clip(printable(value), mostShown), from)
	}
	if group == "" {
		fmt.Fprintln(table, "All are at their defaults.")
	}
	if err := table.Flush(); err != nil {
		return err
	}
	told := false
	for _, warning := range warnings {
		if warning.Level < slog.LevelWarn {
			continue
		}
		if !told {
			fmt.Fprintln(w, "\nWarnings")
			told = true
		}
		fmt.Fprintf(w, "  %s: %s\n", warning.Name, printable(warning.Message))
	}
	return nil
}

// mostShown bounds a value in the table, in columns; JSON has all of it.
const mostShown = 80

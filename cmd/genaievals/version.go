package main

import (
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which build this is",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				return &exit{exitUsage, fmt.Errorf("this build does not say what it is")}
			}
			writeVersion(p.stdout, info)
			return nil
		},
	}
}

// writeVersion writes the module's version, Go's, and the revision where the
// build knows it.
func writeVersion(w io.Writer, info *debug.BuildInfo) {
	version := info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	fmt.Fprintf(w, "genaievals %s\n%s\n", version, info.GoVersion)
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if revision := settings["vcs.revision"]; revision != "" {
		changed := ""
		if settings["vcs.modified"] == "true" {
			changed = ", with changes"
		}
		fmt.Fprintf(w, "revision %s of %s%s\n", revision, settings["vcs.time"], changed)
	}
}

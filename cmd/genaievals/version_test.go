package main

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersionSaysWhichBuildItIs(t *testing.T) {
	execute(t, &program{}, "version").want(t, exitFine, "genaievals ", runtime.Version())
	for name, tt := range map[string]struct {
		info debug.BuildInfo
		want string
	}{
		"a release": {
			debug.BuildInfo{GoVersion: "go1.26.0", Main: debug.Module{Version: "v1.2.3"}},
			"genaievals v1.2.3\ngo1.26.0\n",
		},
		"a checkout": {
			debug.BuildInfo{GoVersion: "go1.26.0", Settings: []debug.BuildSetting{
				{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: "true"},
			}},
			"genaievals (devel)\ngo1.26.0\nrevision abc of 2026-01-02T03:04:05Z, with changes\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			writeVersion(&b, &tt.info)
			if b.String() != tt.want {
				t.Errorf("got %q, want %q", b.String(), tt.want)
			}
		})
	}
}

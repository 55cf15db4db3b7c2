package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
)

// release is the version that CHANGELOG.md begins with. A build that is not of its tag has -dev after it.
const release = "0.1.0"

// build is what this program was made of.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified"` // there were changes that are not in the commit
	Date     string `json:"date,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// thisVersion is the build of this program.
func thisVersion() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = new(debug.BuildInfo)
	}
	return readBuild(info)
}

// untagged matches the version that go makes of a commit without a tag: its time and its name.
var untagged = regexp.MustCompile(`^v\d+\.\d+\.\d+-(?:.*\.)?(\d{4})(\d\d)(\d\d)\d{6}-([0-9a-f]{12})`)

// readBuild takes a build from what go has noted in the program. It notes a commit when it builds in a
// clone, and a version when it builds a module that it has fetched.
func readBuild(info *debug.BuildInfo) build {
	b := build{Version: release + "-dev", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	version, dirty := strings.CutSuffix(info.Main.Version, "+dirty")
	b.Modified = dirty
	if m := untagged.FindStringSubmatch(version); m != nil {
		b.Date, b.Commit = m[1]+"-"+m[2]+"-"+m[3], m[4]
	} else if tag, tagged := strings.CutPrefix(version, "v"); tagged {
		b.Version = tag
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value[:min(12, len(s.Value))]
		case "vcs.time":
			b.Date, _, _ = strings.Cut(s.Value, "T")
		case "vcs.modified":
			b.Modified = b.Modified || s.Value == "true"
		}
	}
	return b
}

// String tells one build from another; it is the same on all hosts that have this one.
func (b build) String() string {
	text := strings.TrimSpace(b.Version + " " + b.Commit)
	if b.Modified {
		text += " with local changes"
	}
	return text
}

// line is all of it for people.
func (b build) line() string {
	text := "weft " + b.Version
	if b.Commit != "" {
		text += ", commit " + b.Commit
	}
	if b.Date != "" {
		text += " of " + b.Date
	}
	if b.Modified {
		text += " with local changes"
	}
	return text + ", " + b.Go + " " + b.Platform
}

// version tells this build from others.
func version() string { return thisVersion().String() }

// versionOptions is a command line of "weft version".
type versionOptions struct{ json bool }

func (o *versionOptions) flags() *flag.FlagSet {
	f := newFlags("version")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return f
}

// versionCommand is "weft version".
func versionCommand(args []string) int {
	var o versionOptions
	if code, done := parseAll("version", o.flags(), args, 0); done {
		return code
	}
	if o.json {
		if err := writeJSON(os.Stdout, thisVersion()); err != nil {
			return 1 // nobody reads it
		}
		return 0
	}
	fmt.Println(thisVersion().line())
	return 0
}

package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersionOfABuild(t *testing.T) {
	here := ", " + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH
	clone := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.time", Value: "2026-11-18T10:00:00Z"}, {Key: "vcs.modified", Value: modified}}
	}
	for _, c := range []struct {
		version  string
		settings []debug.BuildSetting
		line, id string
	}{
		{"v1.2.3", nil, "weft 1.2.3", "1.2.3"},
		{"v0.0.0-20261118100000-0123456789ab", nil, "weft " + release + "-dev, commit 0123456789ab of 2026-11-18", release + "-dev 0123456789ab"},
		{"v1.2.4-0.20261118100000-0123456789ab+dirty", clone("true"), "weft " + release + "-dev, commit 0123456789ab of 2026-11-18 with local changes",
			release + "-dev 0123456789ab with local changes"},
		{"(devel)", clone("false"), "weft " + release + "-dev, commit 0123456789ab of 2026-11-18", release + "-dev 0123456789ab"},
		{"(devel)", nil, "weft " + release + "-dev", release + "-dev"},
		{"", nil, "weft " + release + "-dev", release + "-dev"},
	} {
		b := readBuild(&debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings})
		if b.line() != c.line+here || b.String() != c.id {
			t.Errorf("%s: %q, %q", c.version, b.line(), b.String())
		}
	}
}

// TestChangelog: the version that is being made is the one that the changelog begins with.
func TestChangelog(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	_, first, _ := strings.Cut(string(text), "\n## ")
	if !strings.HasPrefix(first, release+" ") && !strings.HasPrefix(first, release+"\n") {
		t.Errorf("CHANGELOG.md begins with %.30q, not with %s", first, release)
	}
}

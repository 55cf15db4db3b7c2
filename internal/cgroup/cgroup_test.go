package cgroup

import (
	"slices"
	"testing"
)

// TestDirs: the group's own directory comes before the root, whatever version and whoever made it.
func TestDirs(t *testing.T) {
	for _, c := range []struct {
		groups, controller string
		want               []string
	}{
		{"0::/", "", []string{root}},
		{"0::/user.slice/job\n", "", []string{root + "/user.slice/job", root}},
		{"5:memory:/slurm/job_1\n4:cpu,cpuacct:/slurm\n0::/x\n", "memory", []string{root + "/memory/slurm/job_1", root + "/memory"}},
		{"5:memory:/slurm\n4:cpu,cpuacct:/a:b\n", "cpu", []string{root + "/cpu/a:b", root + "/cpu"}},
		{"", "memory", []string{root + "/memory"}},
		{"nonsense\n::\n0:", "", []string{root + "", root}},
	} {
		if got := dirs(c.groups, c.controller); !slices.Equal(got, c.want) {
			t.Errorf("%q, %q: %q, want %q", c.groups, c.controller, got, c.want)
		}
	}
}

// TestLimit: what is no number, or so large that it stands for none, is no limit.
func TestLimit(t *testing.T) {
	for text, want := range map[string]uint64{"": 0, "max": 0, "9223372036854771712": 0, "1073741824": 1 << 30, "-1": 0, "x": 0} {
		if got := limit(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

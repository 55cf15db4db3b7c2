// Package cgroup reads the limits of this process's control group, in version 2 of them and in version 1. It knows only
// the system's files, and never changes them.
package cgroup

import (
	"os"
	"strconv"
	"strings"
)

const root = "/sys/fs/cgroup"

// Dirs lists where the settings of this process's group may lie, the nearest first, for a controller of version 1, or
// of version 2 if that is empty. A container sees its group at the root.
func Dirs(controller string) []string {
	return dirs(word("/proc/self/cgroup"), controller)
}

// dirs is Dirs where the groups of the process are known.
func dirs(groups, controller string) []string {
	base := root
	if controller != "" {
		base += "/" + controller
	}
	var found []string
	for line := range strings.Lines(groups) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) == 3 && strings.Contains(","+fields[1]+",", ","+controller+",") && fields[2] != "/" {
			found = append(found, base+fields[2])
		}
	}
	return append(found, base)
}

// MemoryLimit is how many bytes of memory the group may have, 0 for no limit.
func MemoryLimit() uint64 {
	for _, file := range []struct{ controller, name string }{{"", "/memory.max"}, {"memory", "/memory.limit_in_bytes"}} {
		for _, dir := range Dirs(file.controller) {
			if n := limit(word(dir + file.name)); n > 0 {
				return n
			}
		}
	}
	return 0
}

// limit is a number of bytes, 0 if it is none: version 2 writes max, version 1 a very large number.
func limit(text string) uint64 {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil && n < 1<<60 {
		return n
	}
	return 0
}

// word is the content of a small file of the kernel, empty when there is none.
func word(path string) string {
	content, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(content))
}

package doctor

import (
	"io/fs"
	"os"
	"strings"

	"github.com/weft-mpi/weft/internal/cgroup"
)

// containerKind says in what kind of container this process runs, as far as such leave a mark; empty if in
// none. root is the root of the file system, get the environment.
func containerKind(root fs.FS, get func(string) string) string {
	there := func(path string) bool {
		_, err := fs.Stat(root, path)
		return err == nil
	}
	switch {
	case get("KUBERNETES_SERVICE_HOST") != "":
		return "Kubernetes"
	case get("APPTAINER_CONTAINER") != "" || get("SINGULARITY_CONTAINER") != "":
		return "Apptainer"
	case there(".dockerenv"):
		return "Docker"
	case there("run/.containerenv"):
		return "Podman"
	}
	return ""
}

// processesLimit is how many processes and threads the control group allows, 0 for no limit.
func processesLimit() uint64 {
	for _, dirs := range [][]string{cgroup.Dirs(""), cgroup.Dirs("pids")} {
		for _, dir := range dirs {
			if n := number(dir + "/pids.max"); n > 0 {
				return n
			}
		}
	}
	return 0
}

// memoryUsed is what the control group has of its memory limit, but for pages of files, which the kernel gives up.
func memoryUsed() uint64 {
	for _, d := range []struct {
		dirs        []string
		now, cached string
	}{
		{cgroup.Dirs(""), "/memory.current", "inactive_file"}, {cgroup.Dirs("memory"), "/memory.usage_in_bytes", "total_inactive_file"},
	} {
		for _, dir := range d.dirs {
			if used := number(dir + d.now); used > 0 {
				return used - min(used, field(word(dir+"/memory.stat"), d.cached))
			}
		}
	}
	return 0
}

// field is the number behind a name in a file of lines NAME NUMBER.
func field(text, name string) uint64 {
	for line := range strings.Lines(text) {
		if key, value, found := strings.Cut(strings.TrimSpace(line), " "); found && key == name {
			return parsed(value)
		}
	}
	return 0
}

// container finds it of this process.
func container() string { return containerKind(os.DirFS("/"), os.Getenv) }

// judgeContainer says what is so because the host is a container.
func judgeContainer(s *sheet, f *Facts) {
	if f.Container == "" {
		return
	}
	s.ok("container", "this is a container (%s); ranks in others on the same machine are reached as other hosts are", f.Container)
}

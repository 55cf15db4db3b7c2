package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// programs are what a cluster is made with, and the Debian packages they come in.
var programs = []struct{ name, pkg string }{
	{"ip", "iproute2"},
	{"tc", "iproute2"},
	{"nft", "nftables"},
	{"sshd", "openssh-server"},
	{"ssh", "openssh-client"},
	{"ethtool", "ethtool"},
	{"mount", "mount"},
	{"nsenter", "util-linux"},
	{"setpriv", "util-linux"},
	{"env", "coreutils"},
}

// namespaces are what makes a host apart from its network, which outlives its processes.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC

// Missing lists what this process lacks to make a cluster, each with what to do about it. It is empty when nothing is
// missing.
func Missing() []string {
	if os.Geteuid() != 0 {
		return []string{notRoot()}
	}
	var missing []string
	for _, p := range programs {
		if _, err := program(p.name); err != nil {
			missing = append(missing, fmt.Sprintf("no program %s (apt-get install %s)", p.name, p.pkg))
		}
	}
	err := onThread(func() error { return unix.Unshare(namespaces | unix.CLONE_NEWNET | unix.CLONE_NEWPID) })
	if err != nil {
		missing = append(missing, fmt.Sprintf("no new namespaces: %v (in a container: run it with --privileged)", err))
	}
	return missing
}

// notRoot says how to become root for this very program (sudo does not look where go install puts
// programs), or root of a user namespace with users of its own, which will do.
func notRoot() string {
	exe, err := os.Executable()
	if err != nil {
		exe = "weft"
	}
	return fmt.Sprintf("not root (use sudo %s, or unshare -r --map-auto %s)", exe, exe)
}

// program finds a program, also where only root's PATH would look.
func program(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err == nil {
		return filepath.Abs(path)
	}
	for _, dir := range []string{"/usr/local/sbin", "/usr/sbin", "/sbin"} {
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found, nil
		}
	}
	return "", err
}

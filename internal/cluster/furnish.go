package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// furnish gives the mount, host name and ipc namespaces that this thread has just entered what a host has of its own.
func furnish(name string, p *papers) error {
	if err := unix.Sethostname([]byte(name)); err != nil {
		return fmt.Errorf("set host name: %w", err)
	}
	// Nothing mounted from here on is seen outside.
	if err := mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	if err := mountSys(); err != nil {
		return err
	}
	if err := mount("tmpfs", "/run", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=755"); err != nil {
		return err
	}
	if err := mount("tmpfs", "/dev/shm", "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777"); err != nil {
		return err
	}
	if err := os.Mkdir("/run/sshd", 0o755); err != nil {
		return err
	}
	if err := p.layOut(name); err != nil {
		return err
	}
	return coverHome()
}

// mountSys shows the host's own interfaces in /sys, and the machine's control groups as before.
func mountSys() error {
	const groups = "/sys/fs/cgroup"
	dir, err := os.Open(groups)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := mount("sysfs", "/sys", "sysfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return err
	}
	if dir == nil {
		return nil
	}
	defer dir.Close()
	if _, err := os.Stat(groups); err != nil {
		return nil
	}
	return mount(fmt.Sprintf("/proc/thread-self/fd/%d", dir.Fd()), groups, "", unix.MS_BIND|unix.MS_REC, "")
}

// layOut writes the papers and puts those that have a fixed place over what the machine has there.
func (p *papers) layOut(name string) error {
	if err := os.Mkdir(desk, 0o755); err != nil {
		return err
	}
	for _, f := range []struct {
		name, text, over string
		mode             os.FileMode
	}{
		{"hosts", p.hosts, "/etc/hosts", 0o644},
		{"hostname", name + "\n", "/etc/hostname", 0o644},
		{"ssh_config", p.sshConfig, "/etc/ssh/ssh_config", 0o644},
		{"shadow", unlocked("/etc/shadow"), "/etc/shadow", 0o600},
		{"sshd_config", p.sshdConfig, "", 0o644},
		{"known_hosts", p.knownHosts, "", 0o644},
		{"hostkey", p.hostKey, "", 0o600},
		{"id", p.userKey, "", 0o600},
		{"id.pub", p.userPublic, "", 0o644},
	} {
		path := filepath.Join(desk, f.name)
		if err := os.WriteFile(path, []byte(f.text), f.mode); err != nil {
			return err
		}
		if f.text == "" || f.over == "" {
			continue
		}
		if err := cover(f.over, path); err != nil {
			return err
		}
	}
	return nil
}

// unlocked returns the password file if root's account is locked in it, or may be since it cannot be read,
// with root alone and no password that would fit, since the ssh server refuses locked accounts; else
// nothing.
func unlocked(path string) string {
	text, err := os.ReadFile(path)
	locked := errors.Is(err, fs.ErrPermission)
	for line := range strings.Lines(string(text)) {
		locked = locked || strings.HasPrefix(line, "root:!")
	}
	if !locked {
		return ""
	}
	return "root:*:19000:0:99999:7:::\n"
}

// coverHome hides from remote shells what the user's start-up files would print or wait for, and the user's
// own keys. Root's home is hidden as a whole from who is root in a user namespace alone and may not look
// into it.
func coverHome() error {
	homes := []string{os.Getenv("HOME")}
	if root, err := user.LookupId("0"); err == nil && root.HomeDir != homes[0] {
		homes = append(homes, root.HomeDir)
	}
	empty, emptyDir := filepath.Join(desk, "empty"), filepath.Join(desk, "ssh")
	if err := os.WriteFile(empty, nil, 0o644); err != nil {
		return err
	}
	if err := os.Mkdir(emptyDir, 0o700); err != nil {
		return err
	}
	for _, home := range homes {
		if !filepath.IsAbs(home) {
			continue
		}
		if _, err := os.ReadDir(home); errors.Is(err, fs.ErrPermission) {
			if err := cover(home, emptyDir); err != nil {
				return err
			}
			continue
		}
		for _, name := range []string{".bashrc", ".profile", ".bash_profile"} {
			if err := cover(filepath.Join(home, name), empty); err != nil {
				return err
			}
		}
		if err := cover(filepath.Join(home, ".ssh"), emptyDir); err != nil {
			return err
		}
	}
	return nil
}

// cover puts a file or directory over another of the machine, for this host only, if there is one.
func cover(path, with string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return mount(with, path, "", unix.MS_BIND, "")
}

func mount(source, target, kind string, flags uintptr, options string) error {
	if err := unix.Mount(source, target, kind, flags, options); err != nil {
		return fmt.Errorf("mount %s on %s: %w", source, target, err)
	}
	return nil
}

package cluster

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// onThread runs f on a thread of the operating system of its own, which ends with it. So f may move that thread, and
// the processes it starts, to other namespaces, and nobody else notices.
func onThread(f func() error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread must not be used again
		if unix.Gettid() == unix.Getpid() {
			// The first thread of a process cannot end alone, so it is only kept busy while another does the work.
			done <- onThread(f)
			runtime.UnlockOSThread()
			return
		}
		done <- f()
	}()
	return <-done
}

// newNet makes a network namespace. It lasts as long as the file is open or a process is in it.
func newNet() (ns *os.File, err error) {
	err = onThread(func() error {
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("new network namespace: %w", err)
		}
		ns, err = os.Open("/proc/thread-self/ns/net")
		return err
	})
	return ns, err
}

// inNet runs f on a thread whose network is ns.
func inNet(ns *os.File, f func() error) error {
	return onThread(func() error {
		if err := unix.Setns(int(ns.Fd()), unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("enter network namespace: %w", err)
		}
		return f()
	})
}

// tool is one call of a program in a network namespace. files are its descriptors from 3 on.
type tool struct {
	net   *os.File
	files []*os.File
	stdin string
}

// run calls a program and returns what it complained about when it failed.
func (t tool) run(name string, args ...string) error {
	path, err := program(name)
	if err != nil {
		return err
	}
	return inNet(t.net, func() error {
		cmd := exec.Command(path, args...)
		cmd.Stdin = strings.NewReader(t.stdin)
		cmd.ExtraFiles = t.files
		var output bytes.Buffer
		cmd.Stdout, cmd.Stderr = &output, &output
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, bytes.TrimSpace(output.Bytes()))
		}
		return nil
	})
}

// startIn starts cmd inside the host whose first process is pid, as a direct child of this process. A command without
// a directory gets the caller's, which the host sees too.
func startIn(pid int, cmd *exec.Cmd) error {
	if cmd.Dir == "" {
		dir, err := os.Getwd()
		if err != nil {
			return err
		}
		cmd.Dir = dir
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return fmt.Errorf("the host is down: %w", err)
	}
	defer unix.Close(fd)
	return onThread(func() error {
		if err := unix.Unshare(unix.CLONE_FS); err != nil {
			return fmt.Errorf("leave the directory of the other threads: %w", err)
		}
		if err := unix.Setns(fd, namespaces|unix.CLONE_NEWNET|unix.CLONE_NEWPID); err != nil {
			return fmt.Errorf("enter the host: %w", err)
		}
		return cmd.Start()
	})
}

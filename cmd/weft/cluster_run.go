package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/weft-mpi/weft/internal/cluster"
	"golang.org/x/sys/unix"
)

// codeNotFound is a shell's exit code when there is no such program.
const codeNotFound = 127

// clusterExec runs a command on a host and returns its exit code.
func clusterExec(word string, args []string) (int, error) {
	o := newClusterOptions(word)
	if err := o.flags.Parse(args); err != nil {
		return 0, usageError{err}
	}
	words := o.flags.Args() // the first is the host; all after it is the command's own
	switch {
	case word == "shell" && len(words) == 1:
		words = append(words, shell())
	case len(words) < 2 || word == "shell":
		return 0, usageError{fmt.Errorf("%s takes a host%s", word, map[string]string{"exec": " and a command"}[word])}
	}
	path, err := exec.LookPath(words[1])
	if err != nil {
		return codeNotFound, err
	}
	cmd := exec.Command(path, words[2:]...)
	cmd.Args[0] = words[1]
	return follow(cmd, func() error { return cluster.StartOn(o.name, words[0], cmd) })
}

func shell() string {
	if s := os.Getenv("SHELL"); s != "" {
		return s
	}
	return "/bin/sh"
}

// follow starts a command with our streams, hands every signal on to it, and returns its exit code. The command is a
// process group of its own, in the foreground of our terminal if we have one, so that no signal reaches it twice.
func follow(cmd *exec.Cmd, start func() error) (int, error) {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, append(endSignals(), unix.SIGQUIT, unix.SIGUSR1, unix.SIGUSR2)...)
	defer signal.Stop(signals)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if inForeground() {
		cmd.SysProcAttr.Foreground = true
		cmd.SysProcAttr.Ctty = int(os.Stdin.Fd())
		// Taking the terminal back at the end must not stop us.
		signal.Ignore(unix.SIGTTOU)
		defer unix.IoctlSetPointerInt(int(os.Stdin.Fd()), unix.TIOCSPGRP, unix.Getpgrp())
	}
	if err := start(); err != nil {
		return 1, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			// It may have ended meanwhile, which is no error of ours.
			_ = cmd.Process.Signal(s)
		case err := <-done:
			return exitCode(err)
		}
	}
}

// inForeground tells whether our input is a terminal whose foreground is ours to give away.
func inForeground() bool {
	group, err := unix.IoctlGetInt(int(os.Stdin.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// exitCode turns the end of a command into an exit code as a shell would.
func exitCode(err error) (int, error) {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0, err
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return exit.ExitCode(), nil
}

// clusterRun makes a cluster for one job, which ends with it.
func clusterRun(args []string) (int, error) {
	o := newClusterOptions("run")
	own, rest := o.split(args)
	if err := o.parseNone(own); err != nil {
		return 0, err
	}
	if len(rest) == 0 {
		return 0, usageError{errors.New("say what to run: weft cluster run -n 4 ./prog")}
	}
	config, err := o.configFor(o.hosts)
	if err != nil {
		return 0, err
	}
	exe, err := os.Executable()
	if err != nil {
		return 0, err
	}
	ctx, stop := untilSignal()
	c, err := cluster.Up(ctx, config)
	stop()
	if err != nil {
		return 0, err
	}
	defer c.Down()
	cmd := exec.Command(exe, append([]string{"run", "--host", hostList(c.Hosts(), ranksWanted(rest))}, rest...)...)
	cmd.Args[0] = "weft"
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(exe)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return follow(cmd, func() error { return c.Start("h0", cmd) })
}

// ranksWanted finds how many ranks the options of "weft run" ask for, 0 if they do not say.
func ranksWanted(args []string) int {
	for i, word := range args {
		name, value, hasValue := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if !strings.HasPrefix(word, "-") {
			return 0
		}
		if name != "n" && name != "np" && name != "c" {
			continue
		}
		if !hasValue && i+1 < len(args) {
			value = args[i+1]
		}
		n, err := strconv.Atoi(value)
		if err != nil {
			return 0
		}
		return n
	}
	return 0
}

// hostList gives every host the same number of slots, as many as so many ranks need, at least one.
func hostList(hosts []string, ranks int) string {
	slots := max(1, (ranks+len(hosts)-1)/len(hosts))
	var words []string
	for _, h := range hosts {
		words = append(words, fmt.Sprintf("%s:%d", h, slots))
	}
	return strings.Join(words, ",")
}

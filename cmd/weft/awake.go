package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strconv"

	"github.com/weft-mpi/weft/internal/awake"
	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/clock"
	"golang.org/x/sys/unix"
)

const awakeHelp = `weft awake keeps the CPUs of a virtual machine from halting while a command runs.

  weft awake weft run -n 4 ./prog         until the command has ended, with its exit code
  weft awake                              until Ctrl-C

A virtual CPU without work halts, and comes back late when a rank is woken for it. Meanwhile a process of the kernel's idle
class spins on every CPU: it gives way to all others, and uses up what they leave over. Of several hosts, run it on each.
`

// awakeOptions is a command line of "weft awake".
type awakeOptions struct {
	keep    int // the CPU whose keeper this process is to be, or -1
	command []string
}

func parseAwake(args []string) (awakeOptions, error) {
	o := awakeOptions{keep: -1}
	if len(args) == 2 && args[0] == keeperWord {
		cpu, err := strconv.Atoi(args[1])
		if err != nil || cpu < 0 {
			return o, fmt.Errorf("%q is no CPU", args[1])
		}
		o.keep = cpu
		return o, nil
	}
	if len(args) > 0 && slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
		return o, flag.ErrHelp
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) > 0 && len(args[0]) > 0 && args[0][0] == '-' {
		return o, fmt.Errorf("there is no option %s", args[0])
	}
	o.command = args
	return o, nil
}

// keeperWord makes a process a keeper; nobody types it.
const keeperWord = "--keep"

// awakeCommand is "weft awake". It returns the exit code of the command it ran.
func awakeCommand(args []string) int {
	o, err := parseAwake(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(awakeHelp)
		return 0
	case err != nil:
		fmt.Fprintf(os.Stderr, "weft awake: %v\n(weft awake -h shows what it takes)\n", err)
		return codeUsage
	case o.keep >= 0:
		err = awake.Keep(o.keep)
	default:
		var code int
		if code, err = o.run(); err == nil {
			return code
		}
	}
	fmt.Fprintf(os.Stderr, "weft awake: %v\n", err)
	return 1
}

// run has the keepers while the command runs, or until a signal comes.
func (o awakeOptions) run() (code int, err error) {
	runtime.LockOSThread() // keepers end with this thread
	defer runtime.UnlockOSThread()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, endSignals()...)
	defer signal.Stop(signals)
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cpus, err := clock.AllowedCPUs()
	if err != nil {
		return 0, err
	}
	keepers, err := awake.Start(cpus, self, "awake", keeperWord)
	if err != nil {
		return 0, err
	}
	defer keepers.Stop()
	if len(o.command) == 0 {
		fmt.Fprintf(os.Stderr, "weft awake: %d CPUs do not halt until Ctrl-C\n", len(cpus))
		<-signals
		return 0, nil
	}
	cmd := exec.Command(o.command[0], o.command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), bench.AwakeVariable+"="+strconv.Itoa(len(cpus)))
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-signals:
				if s != unix.SIGINT { // a terminal sends that one to the command, too
					_ = cmd.Process.Signal(s)
				}
			case <-ended:
				return
			}
		}
	}()
	err = cmd.Wait()
	close(ended)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		if !exit.Exited() {
			return codeInterrupted, nil
		}
		return exit.ExitCode(), nil
	}
	return 0, err
}

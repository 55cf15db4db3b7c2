package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/launch"
	"golang.org/x/sys/unix"
)

// agentCommand is "weft agent": what weft run starts on other hosts. Its standard input and output are the
// connection to the launcher; it has no options, since everybody on the host can read a command line.
func agentCommand(args []string) int {
	const about = "weft agent is started by weft run on other hosts; there is nothing to do with it by hand"
	if len(args) == 1 && slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
		fmt.Println(about)
		return 0
	}
	if _, err := unix.IoctlGetTermios(0, unix.TCGETS); err == nil || len(args) > 0 {
		complain("%s", about)
		return codeUsage
	}
	out, err := keepOutput()
	if err != nil {
		complain("%v", err)
		return launch.CodeFailure
	}
	return launch.Agent(launch.AgentConfig{In: os.Stdin, Out: out, Version: version(), Segment: agentSegment})
}

// keepOutput moves standard output out of the way: what anybody prints by accident must not get among the frames.
func keepOutput() (*os.File, error) {
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("standard output: %w", err)
	}
	null, err := unix.Open(os.DevNull, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err == nil {
		err = errors.Join(unix.Dup3(null, 1, 0), unix.Close(null))
	}
	if err != nil {
		return nil, fmt.Errorf("standard output: %w", err)
	}
	return os.NewFile(uintptr(fd), "launcher"), nil
}

// agentSegment makes the shared memory of n ranks on this host with the settings that they have.
func agentSegment(env []string, n int) (*os.File, error) {
	settings, err := boot.ReadSettings(env)
	if err != nil {
		return nil, err
	}
	return boot.Segments(settings)(n)
}

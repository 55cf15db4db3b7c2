package bench

import (
	"context"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// grace is how long a launcher may take to end its ranks after SIGTERM before it is killed.
const grace = 3 * time.Second

// Execute runs a launcher whose ranks speak in lines (see ReadRun) on its standard output, and returns what
// they said. When ctx ends, the launcher is asked to end its ranks, then killed; nothing of its process
// group is left when Execute returns. If this process is killed, the launcher is asked to end. A nil
// environ is this process's own. onLine, which may be nil, is called as lines arrive; its error ends the
// run.
func Execute(ctx context.Context, program string, args, environ []string, onLine func(Line) error) (Outcome, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = environ
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM} // ranks that poll would burn their cores for ever
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = grace
	var complaints Tail
	cmd.Stderr = &complaints
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return Outcome{}, err
	}
	if err := cmd.Start(); err != nil {
		return Outcome{}, err
	}
	// Whatever the launcher left behind in its process group goes with it.
	defer func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }()
	var refused error // onLine's
	out, readErr := ReadRun(stdout, func(line Line) error {
		if onLine != nil {
			refused = onLine(line)
		}
		if refused != nil {
			_ = cmd.Cancel() // that it has ended by itself is as good
		}
		return refused
	})
	waitErr := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return out, fmt.Errorf("did not finish: %w", context.Cause(ctx))
	case refused != nil:
		return out, refused
	case waitErr != nil:
		return out, fmt.Errorf("%w%s", waitErr, complaints.Quoted())
	case readErr != nil:
		return out, fmt.Errorf("%w%s", readErr, complaints.Quoted())
	}
	return out, nil
}

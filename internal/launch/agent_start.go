package launch

import (
	"errors"
	"fmt"
	"os"

	"github.com/weft-mpi/weft/internal/launch/frame"
)

// onGo starts the ranks of this host, all or as many as can be: the launcher ends the others when it hears
// of a failure.
func (a *agent) onGo() error {
	if a.crew != nil {
		return fmt.Errorf("%w: started twice", frame.ErrFrame)
	}
	for i, s := range a.starts {
		if s == nil {
			return fmt.Errorf("%w: nobody said how to start rank %d", frame.ErrFrame, a.setup.Ranks[i])
		}
	}
	err := a.makeCrew()
	for i := 0; err == nil && i < len(a.starts); i++ {
		if err = a.startRank(i); err == nil {
			a.say(&frame.Started{Rank: a.setup.Ranks[i], Pid: a.crew.members[i].pid})
		}
	}
	if err == nil {
		a.crew.started()
		a.look() // one may have ended before the first SIGCHLD was listened to
		return nil
	}
	failed := frame.Failed{Rank: frame.Everyone, Code: CodeFailure, Text: fmt.Sprintf("host %s: %v", a.setup.Host, err)}
	var start *StartError
	if errors.As(err, &start) {
		failed.Code = start.Code
	}
	a.say(&failed)
	return nil
}

func (a *agent) makeCrew() (err error) {
	s := a.setup
	p := position{job: s.Job, size: s.Size, hosts: s.Hosts, node: s.Node, host: s.Host, ranks: s.Ranks, compat: s.Compat}
	cfg := crewConfig{bind: Bind(s.Bind), report: s.ReportBindings,
		note: func(format string, args ...any) { a.say(&frame.Note{Text: fmt.Sprintf(format, args...)}) }}
	if s.Segment {
		cfg.segment = func(n int) (*os.File, error) { return a.cfg.Segment(append(os.Environ(), a.starts[0].Env...), n) }
	}
	a.crew, err = newCrew(p, cfg)
	return err
}

// startRank starts one rank and begins to carry its streams.
func (a *agent) startRank(i int) error {
	s := a.starts[i]
	path, err := a.programs.path(s.Program)
	if err != nil {
		return err
	}
	dir := s.Dir
	if s.AnyDir {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			dir = "" // the agent's own, which is the user's home
		}
	}
	files, err := openEnds(s.Rank, s.Stdin)
	if err != nil {
		return err
	}
	err = a.crew.start(i, recruit{path: path, argv: s.Argv, env: append(os.Environ(), s.Env...), dir: dir,
		stdin: files.stdin, out: files.out, errOut: files.errOut})
	files.close()
	a.streams.carry(s.Rank, files, a.crew.members[i].control, a.say)
	return err
}

package launch

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/weft-mpi/weft/internal/launch/frame"
	"github.com/weft-mpi/weft/internal/pmi"
)

// startAll starts every rank on this host and has the agents start theirs; the loop hears how that went. When one here
// cannot be started the caller's cleanup ends the others.
func (r *run) startAll() error {
	var err error
	if r.in, err = newInput(r); err != nil {
		return err
	}
	for _, h := range r.hosts {
		if h.away {
			if err := r.orderRanks(h); err != nil {
				return err
			}
		}
	}
	for _, h := range r.hosts {
		if !h.away {
			if err := r.startHere(h); err != nil {
				return err
			}
		}
	}
	r.in.begin()
	return nil
}

// startHere starts the ranks of this host.
func (r *run) startHere(h *host) (err error) {
	p := position{job: r.id, size: len(r.ranks), hosts: len(r.hosts), node: h.node, host: h.name, ranks: h.ranks,
		compat: !r.job.NoCompatEnv}
	h.crew, err = newCrew(p, crewConfig{bind: r.job.Bind, report: r.job.ReportBindings, note: r.tellUser, segment: r.job.Segment})
	for local := 0; err == nil && local < len(h.ranks); local++ {
		err = r.startRank(h, local)
	}
	if err == nil {
		h.crew.started()
	}
	return err
}

func (r *run) startRank(h *host, local int) error {
	i := h.ranks[local]
	rk := r.ranks[i]
	fromOut, out, err := os.Pipe()
	if err != nil {
		return pipeError(i, err)
	}
	defer out.Close()
	fromErr, errOut, err := os.Pipe()
	if err != nil {
		fromOut.Close()
		return pipeError(i, err)
	}
	defer errOut.Close()
	if err := r.listenTo(i, fromOut, fromErr); err != nil {
		return err
	}
	env := rk.spec.Env
	if env == nil {
		env = os.Environ()
	}
	err = h.crew.start(local, recruit{path: r.programs[rk.program].path, argv: rk.spec.Argv, env: env, dir: rk.spec.Dir,
		stdin: r.in.file(i), out: out, errOut: errOut})
	if err != nil {
		return err
	}
	rk.pid = h.crew.members[local].pid
	r.recordStart(i)
	r.wg.Go(func() { r.hear(i, h.crew.members[local].control) })
	return nil
}

func pipeError(rank int, err error) error {
	return fmt.Errorf("cannot make a pipe for rank %d: %w%s", rank, err, descriptorHint(err))
}

// listenTo begins to carry the outputs of rank i.
func (r *run) listenTo(i int, fromOut, fromErr io.ReadCloser) (err error) {
	rk := r.ranks[i]
	rk.streamsOpen = 2
	rk.stderr, err = r.out.open(&r.job, i, fromOut, fromErr, &rk.memory, func() { r.post(streamEnded{i}) })
	return err
}

// orderRanks has an agent start the ranks of its host.
func (r *run) orderRanks(h *host) error {
	for _, i := range h.ranks {
		rk := r.ranks[i]
		if err := r.listenTo(i, h.link.open(i, frame.Stdout), h.link.open(i, frame.Stderr)); err != nil {
			return err
		}
		control := h.link.open(i, frame.Control)
		r.wg.Go(func() { r.hear(i, control) })
		dir, err := filepath.Abs(rk.spec.Dir) // the working directory, if none was given
		if err != nil {
			return err
		}
		h.link.put(&frame.Start{Rank: i, Program: rk.program, Argv: rk.spec.Argv, Env: rk.spec.RemoteEnv, Dir: dir,
			AnyDir: rk.spec.Dir == "", Stdin: r.in.feeds(i)})
	}
	h.link.put(&frame.Go{})
	return nil
}

// hear brings what rank i says on its control socket to the loop.
func (r *run) hear(i int, control io.Reader) {
	in := pmi.NewReader(control)
	for {
		m, err := in.Next()
		if err != nil {
			r.post(hungUp{i, err})
			return
		}
		r.post(said{i, m})
	}
}

// tell sends rank i a line. It never waits.
func (r *run) tell(i int, m pmi.Message) error {
	rk := r.ranks[i]
	return rk.host.tell(rk, m)
}

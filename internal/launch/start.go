package launch

import (
	"errors"
	"os"

	"github.com/weft-mpi/weft/internal/pmi"
	"golang.org/x/sys/unix"
)

// startAll starts every rank, or none: when one cannot be started the caller's cleanup ends the others.
func (r *run) startAll() (err error) {
	if r.in, err = newInput(&r.job); err != nil {
		return err
	}
	if r.job.Segment != nil {
		if r.segment, err = r.job.Segment(len(r.ranks)); err != nil {
			return err
		}
	}
	bound, err := r.bindings()
	if err != nil {
		return err
	}
	r.reportBindings(bound)
	r.spawner = newSpawner()
	r.guard = startWatchdog(r.tempDir)
	for i := range r.ranks {
		var cpus []int
		if bound != nil {
			cpus = bound[i]
		}
		if err := r.startRank(i, cpus); err != nil {
			return err
		}
	}
	r.in.started()
	if r.segment != nil {
		r.segment.Close()
		r.segment = nil
	}
	return nil
}

// position is what the ranks are told: one host, this one, has them all.
func (r *run) position() *position {
	all := make([]int, len(r.ranks))
	for i := range all {
		all[i] = i
	}
	return &position{job: r.id, size: len(all), hosts: 1, host: r.host, ranks: all,
		segment: r.segment != nil, compat: !r.job.NoCompatEnv}
}

func (r *run) startRank(i int, cpus []int) error {
	rk := r.ranks[i]
	near, far, err := controlPair()
	if err != nil {
		return err
	}
	rk.control = near
	defer far.Close()
	rk.streamsOpen = 2
	out, errOut, err := r.out.open(&r.job, i, &rk.memory, func() { r.post(streamEnded{i}) })
	if err != nil {
		return err
	}
	rk.stderr = r.out.streams[len(r.out.streams)-1]
	defer out.Close()
	defer errOut.Close()
	base := rk.spec.Env
	if base == nil {
		base = os.Environ()
	}
	c := child{
		path:  rk.path,
		argv:  rk.spec.Argv,
		env:   r.position().environment(base, i, cpus),
		dir:   rk.spec.Dir,
		files: []*os.File{r.in.file(i), out, errOut, far},
		cpus:  cpus,
	}
	if r.segment != nil {
		c.files = append(c.files, r.segment)
	}
	if rk.pid, err = r.spawner.start(c); err != nil {
		rk.pid = 0
		return explainStart(i, c, err)
	}
	r.guard.guard(rk.pid)
	r.wg.Go(func() { r.hear(i, near) })
	return nil
}

// hear brings what rank i says on its control socket to the loop.
func (r *run) hear(i int, control *os.File) {
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

// tell sends rank i a line. It never waits: a rank that lets its socket fill up is out of order, and one that is gone
// will be noticed by its exit.
func (r *run) tell(i int, m pmi.Message) error {
	line, err := pmi.AppendMessage(nil, m)
	if err != nil {
		return err
	}
	raw, err := r.ranks[i].control.SyscallConn()
	if err != nil {
		return nil
	}
	var sendErr error
	err = raw.Write(func(fd uintptr) bool {
		sendErr = unix.Sendto(int(fd), line, unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL, nil)
		return true
	})
	if err == nil && errors.Is(sendErr, unix.EAGAIN) {
		return errors.New("it does not read its control socket")
	}
	return nil
}

package lab

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab/measure"
)

// WireJob is two processes that talk at user level on a simulated fabric.
type WireJob struct {
	On          Setup
	Connections int
	Slot        int  // bytes of the longest message
	SameNode    bool // both on one node, through its interface
	Rails       int  // connections take this many rails in turn; 0: one
}

// errConnect says that two processes at user level could not be connected.
var errConnect = errors.New("no connection")

// RunWires runs body as two processes, once as the leading side and once as the other. It is for simulated
// fabrics only.
func (b *Bench) RunWires(ctx context.Context, job WireJob, body func(w *measure.Wires) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !job.On.On.Virtual() {
		return fmt.Errorf("%w %s: user level is measured on simulated fabrics, and by `weft verbs` on hosts", ErrPlatform, job.On.On)
	}
	b.use(job.On.On)
	if b.o.Tick != nil {
		b.o.Tick(job.On.Label + ", user level")
	}
	s, fabric, err := b.cluster(job.On.On, 2)
	if err != nil {
		return err
	}
	var ends [2]*wireEnd
	for i := range ends {
		if ends[i], err = newWireEnd(s, fabric, job, i); err != nil {
			return err
		}
		defer ends[i].dev.Close()
	}
	for i, e := range ends {
		other := ends[1-i]
		s.Go([]string{"leading side", "other side"}[i], func() {
			e.failed = e.run(other, job, body)
		})
	}
	if err := s.Run(); err != nil {
		return errors.Join(ends[0].failed, ends[1].failed, err)
	}
	return errors.Join(ends[0].failed, ends[1].failed)
}

// wireEnd is one of the two processes.
type wireEnd struct {
	w         *measure.Wires
	s         *clock.Scheduler
	dev       *sim.Device
	listeners []verbs.Listener // one per rail
	connected int
	failed    error
}

func newWireEnd(s *clock.Scheduler, f *sim.Fabric, job WireJob, side int) (*wireEnd, error) {
	node, core := side, 0
	if job.SameNode {
		node, core = 0, side
	}
	dev, err := f.Open(node)
	if err != nil {
		return nil, err
	}
	host, err := f.Host(node, core)
	if err != nil {
		return nil, err
	}
	e := &wireEnd{s: s, dev: dev, w: &measure.Wires{Clock: simClock{host}, Lead: side == 0, Slot: job.Slot}}
	return e, e.prepare(job)
}

// prepare makes queues and memory. It costs time that nobody counts.
func (e *wireEnd) prepare(job WireJob) (err error) {
	if e.w.PD, err = e.dev.NewPD(); err != nil {
		return err
	}
	if e.w.CQ, err = e.dev.NewCQ(verbs.CQConfig{Depth: 4096}); err != nil {
		return err
	}
	for _, mr := range []*verbs.MR{&e.w.Out, &e.w.In} {
		if *mr, err = e.w.PD.Register(make([]byte, job.Slot*job.Connections), verbs.LocalWrite|verbs.RemoteWrite|verbs.RemoteRead); err != nil {
			return err
		}
	}
	for i := range job.Connections {
		qp, err := e.w.PD.NewQP(verbs.QPConfig{Type: verbs.RC, Rail: i % max(job.Rails, 1), SendCQ: e.w.CQ, RecvCQ: e.w.CQ, SendDepth: wireDepth, RecvDepth: 1})
		if err == nil {
			err = qp.Modify(verbs.Init)
		}
		if err != nil {
			return err
		}
		e.w.QPs = append(e.w.QPs, qp)
	}
	for rail := 0; rail < max(job.Rails, 1) && !e.w.Lead; rail++ {
		l, err := e.dev.Listen(verbs.ListenConfig{Rail: rail})
		if err != nil {
			return err
		}
		e.listeners = append(e.listeners, l)
	}
	return nil
}

// wireDepth is how many writes a connection takes at a time.
const wireDepth = 256

// run connects the sides and has the body measure.
func (e *wireEnd) run(other *wireEnd, job WireJob, body func(w *measure.Wires) error) error {
	e.w.Addr, e.w.Key = other.w.In.Addr(), other.w.In.RKey()
	if e.w.Lead {
		for i, qp := range e.w.QPs {
			number := binary.BigEndian.AppendUint16(nil, uint16(i))
			if err := qp.Connect(other.listeners[i%len(other.listeners)].Addr(), number); err != nil {
				return fmt.Errorf("%w: %w", errConnect, err)
			}
		}
	}
	if err := e.connect(job.Connections); err != nil {
		return err
	}
	for other.connected < job.Connections {
		if other.failed != nil {
			return fmt.Errorf("%w: the other side gave up", errConnect)
		}
		e.s.Sleep(1000)
	}
	return body(e.w)
}

// connect takes events until all connections stand.
func (e *wireEnd) connect(want int) error {
	return takeConnections(e.s, e.dev, &e.connected, want, func(private []byte) verbs.QP { return e.w.QPs[binary.BigEndian.Uint16(private)] })
}

// takeConnections takes a device's events until as many connections stand as are wanted; a request gets the
// queue pair that its private data names. Those that stand are counted in connected.
func takeConnections(s *clock.Scheduler, dev *sim.Device, connected *int, want int, named func(private []byte) verbs.QP) error {
	var events [16]verbs.Event
	for *connected < want {
		for _, ev := range events[:dev.PollEvents(events[:])] {
			switch ev.Kind {
			case verbs.ConnectRequest:
				if err := ev.Request.Accept(named(ev.Request.Private()), nil); err != nil {
					return fmt.Errorf("%w: %w", errConnect, err)
				}
			case verbs.Established:
				*connected++
			default:
				return fmt.Errorf("%w: %v %w", errConnect, ev.Kind, ev.Err)
			}
		}
		s.Sleep(1000)
	}
	return nil
}

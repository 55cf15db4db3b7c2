package lab

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/soft"
	"github.com/weft-mpi/weft/lab/measure"
)

// LetterJob is two processes that send to each other at user level, on a simulated fabric or with this
// host's software device.
type LetterJob struct {
	On   Setup
	Type verbs.Type // RC or UD
	Most int        // bytes of the longest message
}

// letterSlots is how many receives each side keeps posted.
const letterSlots = 8

// RunLetters runs body as two processes, once as the leading side and once as the other.
func (b *Bench) RunLetters(ctx context.Context, job LetterJob, body func(w *measure.Letters) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b.use(job.On.On)
	if b.o.Tick != nil {
		b.o.Tick(fmt.Sprintf("%s, %v", job.On.Label, job.Type))
	}
	if job.On.On.Virtual() {
		return b.lettersSim(job, body)
	}
	return lettersHost(job, body)
}

// lettersSim has both sides be tasks of a simulated cluster.
func (b *Bench) lettersSim(job LetterJob, body func(w *measure.Letters) error) error {
	s, fabric, err := b.cluster(job.On.On, 2)
	if err != nil {
		return err
	}
	var ends [2]letterEnd
	for i := range ends {
		dev, err := fabric.Open(i)
		if err != nil {
			return err
		}
		defer dev.Close()
		host, err := fabric.Host(i, 0)
		if err != nil {
			return err
		}
		ends[i] = letterEnd{dev: dev, w: measure.Letters{Clock: simClock{host}, Lead: i == 0}}
	}
	s.Go("both sides meet", func() {
		if err = meet(&ends, job, s); err != nil {
			return
		}
		for i := range ends {
			s.Go([]string{"leading side", "other side"}[i], func() { ends[i].failed = body(&ends[i].w) })
		}
	})
	return errors.Join(s.Run(), err, ends[0].failed, ends[1].failed)
}

// lettersHost has both sides be goroutines of this process, each with a device of its own.
func lettersHost(job LetterJob, body func(w *measure.Letters) error) error {
	var ends [2]letterEnd
	for i := range ends {
		dev, err := soft.Open(soft.Config{Key: []byte("two processes of one job"), Datagram: longestDatagram})
		if err != nil {
			return fmt.Errorf("no software device: %w", err)
		}
		defer dev.Close()
		ends[i] = letterEnd{dev: dev, w: measure.Letters{Clock: &hostClock{perNano: speed(), state: 1}, Lead: i == 0, Spin: hostSpin}}
	}
	if err := meet(&ends, job, clock.Real); err != nil {
		return err
	}
	var both sync.WaitGroup
	for i := range ends {
		both.Go(func() { ends[i].failed = body(&ends[i].w) })
	}
	both.Wait()
	return errors.Join(ends[0].failed, ends[1].failed)
}

const (
	longestDatagram = 65507  // of UDP over IPv4, as in the documents
	hostSpin        = 20_000 // looks before a side sleeps
)

// letterEnd is one of the two processes.
type letterEnd struct {
	dev    verbs.Device
	pd     verbs.PD
	w      measure.Letters
	failed error
}

// prepare makes queues and memory, and posts receives.
func (e *letterEnd) prepare(job LetterJob) error {
	var err error
	if e.pd, err = e.dev.NewPD(); err != nil {
		return err
	}
	if e.w.CQ, err = e.dev.NewCQ(verbs.CQConfig{Depth: 4 * letterSlots}); err != nil {
		return err
	}
	e.w.Slots, e.w.Most = letterSlots, job.Most
	if job.Type == verbs.UD {
		e.w.Most = min(job.Most, e.dev.Caps().MaxDatagram)
	}
	for _, mr := range []*verbs.MR{&e.w.Out, &e.w.In} {
		if *mr, err = e.pd.Register(make([]byte, letterSlots*job.Most), verbs.LocalWrite); err != nil {
			return err
		}
	}
	cfg := verbs.QPConfig{Type: job.Type, SendCQ: e.w.CQ, RecvCQ: e.w.CQ, SendDepth: letterSlots, RecvDepth: letterSlots}
	if e.w.QP, err = e.pd.NewQP(cfg); err != nil {
		return err
	}
	if err := e.w.QP.Modify(verbs.Init); err != nil {
		return err
	}
	if job.Type == verbs.UD {
		err = e.w.QP.Modify(verbs.RTS)
	}
	if err != nil {
		return err
	}
	return e.w.Begin()
}

// meet prepares both sides, and has them know or be connected to each other.
func meet(ends *[2]letterEnd, job LetterJob, time interface{ Sleep(int64) }) error {
	for i := range ends {
		if err := ends[i].prepare(job); err != nil {
			return err
		}
	}
	if job.Type == verbs.RC {
		return join(ends, time)
	}
	for i := range ends {
		to, err := ends[i].pd.NewAH(ends[1-i].w.QP.Addr())
		if err != nil {
			return err
		}
		ends[i].w.To, ends[i].w.Peer = to, ends[1-i].w.QP.Num()
	}
	return nil
}

// join connects the leading side to the other.
func join(ends *[2]letterEnd, time interface{ Sleep(int64) }) error {
	l, err := ends[1].dev.Listen(verbs.ListenConfig{})
	if err != nil {
		return err
	}
	defer l.Close()
	if err := ends[0].w.QP.Connect(l.Addr(), nil); err != nil {
		return fmt.Errorf("%w: %w", errConnect, err)
	}
	var events [4]verbs.Event
	for established, tries := 0, 0; established < 2; tries++ {
		if tries > joinTries {
			return fmt.Errorf("%w: nothing happens", errConnect)
		}
		for i := range ends {
			ends[i].w.CQ.Poll(nil) // lets the device work
			for _, ev := range events[:ends[i].dev.PollEvents(events[:])] {
				switch ev.Kind {
				case verbs.ConnectRequest:
					err = ev.Request.Accept(ends[1].w.QP, nil)
				case verbs.Established:
					established++
				default:
					err = ev.Err
				}
				if err != nil {
					return fmt.Errorf("%w: %v %w", errConnect, ev.Kind, err)
				}
			}
		}
		time.Sleep(10_000)
	}
	return nil
}

// joinTries is how often is looked for a connection: half a minute on a slow host.
const joinTries = 100_000

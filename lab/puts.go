package lab

import (
	"encoding/binary"
	"fmt"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/sim"
	"github.com/weft-mpi/weft/lab/measure"
)

// putEnd is a rank that writes to others below MPI, before its connections stand.
type putEnd struct {
	rank      int
	puts      *measure.Puts
	s         *clock.Scheduler
	dev       *sim.Device
	listeners []verbs.Listener // one per rail
	connected int
}

// putting is a job whose ranks write to each other below MPI.
type putting struct {
	s     *clock.Scheduler
	f     *sim.Fabric
	ranks int
	place func(rank int) (node, core int)
	lines bool // each connection has receives of its own
}

// ends makes the ends of all ranks. They are connected by connect, each by its rank.
func (j putting) ends() ([]*putEnd, error) {
	near, err := j.neighbours()
	if err != nil {
		return nil, err
	}
	all := make([]*putEnd, j.ranks)
	for rank := range all {
		if all[rank], err = j.end(rank, near[rank]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// neighbours has the ranks of each node share memory.
func (j putting) neighbours() ([]measure.Neighbours, error) {
	seats := map[int][]sim.Seat{}
	for rank := range j.ranks {
		node, core := j.place(rank)
		seats[node] = append(seats[node], sim.Seat{Rank: rank, Core: core, Bell: clock.NewTaskBell(j.s, nil)})
	}
	near := make([]measure.Neighbours, j.ranks)
	for node, mates := range seats {
		members, err := j.f.Shared(node, mates)
		if err != nil {
			return nil, err
		}
		for i, m := range members {
			near[mates[i].Rank] = m
		}
	}
	return near, nil
}

func (j putting) end(rank int, near measure.Neighbours) (*putEnd, error) {
	node, core := j.place(rank)
	dev, err := j.f.Open(node)
	if err != nil {
		return nil, err
	}
	host, err := j.f.Host(node, core)
	if err != nil {
		return nil, err
	}
	e := &putEnd{rank: rank, s: j.s, dev: dev}
	cfg := measure.PutsConfig{Host: host, Settle: j.s.Settle, Near: near, Lines: make([][]verbs.QP, j.ranks)}
	if cfg.PD, err = dev.NewPD(); err != nil {
		return nil, err
	}
	if cfg.CQ, err = dev.NewCQ(verbs.CQConfig{Depth: 4 * putDepth}); err != nil {
		return nil, err
	}
	if !j.lines {
		if cfg.SRQ, err = cfg.PD.NewSRQ(verbs.SRQConfig{Depth: putDepth}); err != nil {
			return nil, err
		}
	}
	for rail := range dev.Rails() {
		l, err := dev.Listen(verbs.ListenConfig{Rail: rail})
		if err != nil {
			return nil, err
		}
		e.listeners = append(e.listeners, l)
		for peer := range j.ranks {
			if peer == rank {
				continue
			}
			qp, err := cfg.PD.NewQP(verbs.QPConfig{Type: verbs.RC, Rail: rail, SendCQ: cfg.CQ, RecvCQ: cfg.CQ, SRQ: cfg.SRQ, SendDepth: wireDepth, RecvDepth: measure.LineEvents})
			if err == nil {
				err = qp.Modify(verbs.Init)
			}
			if err != nil {
				return nil, err
			}
			cfg.Lines[peer] = append(cfg.Lines[peer], qp)
		}
	}
	e.puts, err = measure.NewPuts(cfg)
	return e, err
}

// putDepth is how many events a rank has room for.
const putDepth = 4096

// connect has a rank connect to those after it and be connected by those before it.
func (e *putEnd) connect(all []*putEnd) error {
	want := 0
	for peer, line := range e.puts.Lines {
		want += len(line)
		for rail, qp := range line {
			if peer < e.rank {
				continue
			}
			from := binary.BigEndian.AppendUint16(nil, uint16(e.rank))
			if err := qp.Connect(all[peer].listeners[rail].Addr(), binary.BigEndian.AppendUint16(from, uint16(rail))); err != nil {
				return fmt.Errorf("%w: %w", errConnect, err)
			}
		}
	}
	return takeConnections(e.s, e.dev, &e.connected, want, func(private []byte) verbs.QP {
		return e.puts.Lines[binary.BigEndian.Uint16(private)][binary.BigEndian.Uint16(private[2:])]
	})
}

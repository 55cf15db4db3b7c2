package kernel

import (
	"errors"

	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// pulse finds out about hosts that fall silent where nobody else does: an iWARP driver sends into its own TCP connection, which
// may take a quarter of an hour to end. A connection on which nothing was heard for two beats reads a word of the peer's
// memory, which the peer's adapter answers; one that heard nothing for all beats of Config.Silence is broken. Beats are
// counted rather than time taken, so that a host that was stopped for a while itself blames nobody.
type pulse struct{ deadline }

const (
	beats   = 8 // in Silence
	askBeat = 2 // in a row that nothing was heard
)

var errSilent = errors.New("the peer's host does not answer any more")

// listens is what a bond knows of its peer's silence.
type listens struct {
	upTo   uint64 // of qp.heard at the last beat
	silent int    // beats in a row
}

// feel begins to look at a device's connections.
func (d *Device) feel() {
	if d.cfg.Silence > 0 && d.pulse.at == 0 {
		d.pulse.limit(max(d.cfg.Silence/beats, 1))
	}
}

// expire is a beat.
func (p *pulse) expire() {
	d := p.dev
	p.limit(0)
	for _, c := range d.cqs {
		d.empty(c)
	}
	for b := range d.bonds {
		if b.phase == open {
			b.beat()
			d.feel()
		}
	}
}

// beat looks whether something was heard.
func (b *bond) beat() {
	q := b.qp
	if q.heard != b.upTo {
		b.upTo, b.silent = q.heard, 0
		return
	}
	switch b.silent++; {
	case b.silent == askBeat:
		list := q.note.piece(echo)
		*q.wr = ibv.SendWR{ID: beatID, Op: ibv.OpRead, List: &list[0], Count: 1, Flags: ibv.SendSignaled}
		q.wr.SetRemote(q.there.addr, q.there.key)
		q.driver.PostSend(q.wr) // if that fails there is no answer either
	case b.silent > beats:
		b.lose(errSilent)
	}
}

package team

import (
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/weft-mpi/weft/internal/verbs"
)

// Device is several devices as one. It implements verbs.Device.
type Device struct {
	subs  []verbs.Device
	rails []place // by rail
	caps  verbs.Caps

	mu      sync.Mutex // guards what follows
	lastKey uint32
	regions map[uint32]*mr  // by local key
	srqs    map[uint32]*srq // by the number that the device below has, marked with the device
	cqs     map[uint32]*cq  // likewise
	turn    int             // the device whose events are taken first
}

// place is a rail of a device below.
type place struct{ sub, rail int }

// Numbers of queue pairs, queues and events are those of the devices below, with the device in the highest bits.
const (
	shift = 29
	most  = 1 << (32 - shift)
)

// number marks a number of a device below.
func number(sub int, num uint32) uint32 { return uint32(sub)<<shift | num&(1<<shift-1) }

// New makes one device of several, which it owns from then on; nothing may have been made of them.
func New(subs ...verbs.Device) (*Device, error) {
	if len(subs) == 0 || len(subs) > most {
		return nil, fmt.Errorf("team: %w: %d devices, possible are 1 to %d", verbs.ErrArgument, len(subs), most)
	}
	d := &Device{subs: subs, caps: subs[0].Caps(), regions: map[uint32]*mr{}, srqs: map[uint32]*srq{}, cqs: map[uint32]*cq{}}
	for i, s := range subs {
		caps := s.Caps()
		join(&d.caps, &caps)
		for r := range s.Rails() {
			d.rails = append(d.rails, place{i, r})
		}
	}
	d.caps.RailKeys = len(subs) > 1
	return d, nil
}

// join leaves of what one device can do what another one can, too. Datagrams are the first one's. What devices lend or
// ask is answered to each alone, which a queue of several cannot tell.
func join(to, other *verbs.Caps) {
	for _, n := range []struct{ to, other *int }{
		{&to.MaxSGE, &other.MaxSGE}, {&to.MaxReadSGE, &other.MaxReadSGE}, {&to.MaxInline, &other.MaxInline}, {&to.MaxMessage, &other.MaxMessage},
		{&to.MaxDepth, &other.MaxDepth}, {&to.MaxReads, &other.MaxReads}, {&to.MaxPrivate, &other.MaxPrivate},
	} {
		*n.to = min(*n.to, *n.other)
	}
	for _, b := range []struct{ to, other *bool }{
		{&to.RC, &other.RC}, {&to.UC, &other.UC}, {&to.SRQ, &other.SRQ}, {&to.SRQMixed, &other.SRQMixed}, {&to.Invalidate, &other.Invalidate},
		{&to.WriteImm, &other.WriteImm}, {&to.Atomics, &other.Atomics}, {&to.PeerAck, &other.PeerAck}, {&to.RNRWaits, &other.RNRWaits},
		{&to.GuardsReads, &other.GuardsReads}, {&to.TellsWhy, &other.TellsWhy}, {&to.TellsSolicited, &other.TellsSolicited},
	} {
		*b.to = *b.to && *b.other
	}
	to.SlowRekey = to.SlowRekey || other.SlowRekey
	to.FirstSegment, to.XRC, to.RD, to.Multicast, to.Solicited, to.Borrow, to.Place, to.Wire = 0, false, false, false, false, false, false, false
}

// Caps tells what all devices can do.
func (d *Device) Caps() verbs.Caps { return d.caps }

// Rails are those of all devices.
func (d *Device) Rails() (all []verbs.Rail) {
	for _, s := range d.subs {
		all = append(all, s.Rails()...)
	}
	return all
}

// at finds the device of a rail.
func (d *Device) at(rail int) (place, error) {
	if rail < 0 || rail >= len(d.rails) {
		return place{}, fmt.Errorf("team: %w: rail %d of %d", verbs.ErrArgument, rail, len(d.rails))
	}
	return d.rails[rail], nil
}

// Listen accepts connections at the device of a rail.
func (d *Device) Listen(cfg verbs.ListenConfig) (verbs.Listener, error) {
	p, err := d.at(cfg.Rail)
	if err != nil {
		return nil, err
	}
	cfg.Rail = p.rail
	return d.subs[p.sub].Listen(cfg)
}

// PollEvents takes events of all devices in turn.
func (d *Device) PollEvents(out []verbs.Event) (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for range d.subs {
		sub := d.turn
		d.turn = (sub + 1) % len(d.subs)
		some := out[n:]
		k := d.subs[sub].PollEvents(some)
		for i := range some[:k] {
			if d.translate(sub, &some[i]) {
				out[n] = some[i]
				n++
			}
		}
	}
	return n
}

// translate makes an event of a device below one of ours; it answers false if nobody asked for it.
func (d *Device) translate(sub int, e *verbs.Event) bool {
	switch num := number(sub, e.Num); e.Kind {
	case verbs.EventsLost:
	case verbs.SRQLimit:
		s := d.srqs[num]
		if s == nil || s.asked == 0 {
			return false
		}
		s.asked--
		e.Num = s.num
	case verbs.CQOverflow:
		if c := d.cqs[num]; c != nil {
			e.Num = c.num
		}
	case verbs.ConnectRequest:
		e.Request = &request{e.Request, sub}
	default:
		e.Num = num
	}
	return true
}

// NotifyEvents has f called after any device has added an event.
func (d *Device) NotifyEvents(f func()) {
	for _, s := range d.subs {
		s.NotifyEvents(f)
	}
}

// Counters lists the sums.
func (d *Device) Counters() iter.Seq2[string, uint64] {
	sums := map[string]uint64{}
	var names []string
	for _, s := range d.subs {
		for name, n := range s.Counters() {
			if _, known := sums[name]; !known {
				names = append(names, name)
			}
			sums[name] += n
		}
	}
	return func(yield func(string, uint64) bool) {
		for _, name := range names {
			if !yield(name, sums[name]) {
				return
			}
		}
	}
}

// Close closes all devices.
func (d *Device) Close() error { return each(d.subs, verbs.Device.Close) }

// each does something to all, and joins errors.
func each[T any](all []T, f func(T) error) error {
	var errs []error
	for _, x := range all {
		errs = append(errs, f(x))
	}
	return errors.Join(errs...)
}

// request is a peer that asks one of the devices for a connection.
type request struct {
	verbs.ConnRequest
	sub int
}

// Accept takes a queue pair of that device.
func (r *request) Accept(to verbs.QP, private []byte) error {
	q, ok := to.(*qp)
	if !ok || q.sub != r.sub {
		return fmt.Errorf("team: accept: %w: a queue pair of another device", verbs.ErrArgument)
	}
	return r.ConnRequest.Accept(q.QP, private)
}

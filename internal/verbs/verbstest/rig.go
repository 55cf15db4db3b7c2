package verbstest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
)

// rig is the scene of one case: two devices, what was made from them, and what they reported so far.
type rig struct {
	testing.TB
	typ   verbs.Type
	opt   Options
	seed  uint64
	rnd   *rand.Rand
	world *World

	caps  verbs.Caps
	named bool    // queue pairs share an address, so work requests must name theirs
	hosts []*host // as many as asked for; two that share a device are one
	boxes []*box
	ends  []*end
	log   []string // the latest completions and events, for the report

	goroutines map[string]bool // those before the case
	files      int
}

// host is a device with a protection domain, and the events it reported that no case took yet.
type host struct {
	dev      verbs.Device
	pd       verbs.PD
	events   []verbs.Event
	listener verbs.Listener
	handles  map[netip.AddrPort]verbs.AH
}

// box is a completion queue and what was polled from it and not taken yet.
type box struct {
	cq    verbs.CQ
	done  []verbs.Completion
	muted bool // the case polls it itself
}

// open starts the case and has everything given back at its end, also if it fails.
func (r *rig) open(open Opener) {
	r.Helper()
	time.Sleep(time.Microsecond) // Go's own poller opens its files with the first timer
	r.goroutines, r.files = goroutines(), openFiles()
	devs := open(r.TB, 2)
	for _, d := range devs {
		h := r.hostOf(d)
		if h == nil {
			pd, err := d.NewPD()
			if err != nil {
				r.Fatalf("NewPD: %v", err)
			}
			h = &host{dev: d, pd: pd, handles: map[netip.AddrPort]verbs.AH{}}
		}
		r.hosts = append(r.hosts, h)
	}
	r.caps = devs[0].Caps()
	r.Cleanup(r.finish)
	if !r.typ.Connects() {
		r.lookAtAddresses()
	}
}

// lookAtAddresses finds out whether datagram queue pairs of a device have an address each.
func (r *rig) lookAtAddresses() {
	r.Helper()
	a, b := r.endOn(r.hosts[0]).init(), r.endOn(r.hosts[0]).init()
	r.named = a.qp.Addr() == b.qp.Addr()
	for _, e := range []*end{a, b} {
		if err := errors.Join(e.qp.Close(), e.sends.cq.Close(), e.recvs.cq.Close()); err != nil {
			r.Fatalf("closing a queue pair that was never used: %v", err)
		}
	}
	r.boxes, r.ends = nil, nil
}

func (r *rig) hostOf(d verbs.Device) *host {
	for _, h := range r.hosts {
		if h.dev == d {
			return h
		}
	}
	return nil
}

// repairs tells that the device delivers datagrams reliably.
func (r *rig) repairs() bool { return r.typ == verbs.RD || r.typ == verbs.XRC }

// need skips the case if the device lacks a capability.
func (r *rig) need(has bool, what string) {
	r.Helper()
	if !has {
		r.Skipf("the device has no %s", what)
	}
}

// finish reports what a failed case left behind, closes the devices and looks for leaks.
func (r *rig) finish() {
	if r.Failed() {
		r.Log(r.report())
	}
	for i, h := range r.hosts {
		if r.hostOf(h.dev) == h && (i == 0 || r.hosts[i-1] != h) {
			r.closeDevice(h.dev)
		}
	}
	if r.Failed() {
		return
	}
	until := time.Now().Add(r.opt.Patience / 4)
	for {
		left := goroutines()
		maps.DeleteFunc(left, func(id string, _ bool) bool { return r.goroutines[id] })
		if len(left) == 0 && openFiles() <= r.files {
			return
		}
		if time.Now().After(until) {
			r.Errorf("leak: %d new goroutines, %d files before, %d after the devices were closed\n%s",
				len(left), r.files, openFiles(), stacks())
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// closeDevice closes a device, which must neither fail nor take for ever.
func (r *rig) closeDevice(d verbs.Device) {
	r.Helper()
	closed := make(chan error, 1)
	go func() { closed <- d.Close() }()
	select {
	case err := <-closed:
		if err != nil {
			r.Errorf("closing the device: %v", err)
		}
	case <-time.After(r.opt.Patience):
		r.Fatalf("closing the device takes for ever\n%s", stacks())
	}
}

// stacks describes all goroutines.
func stacks() []byte {
	for size := 1 << 16; ; size *= 2 {
		b := make([]byte, size)
		if n := runtime.Stack(b, true); n < size {
			return b[:n]
		}
	}
}

// goroutines gives the names of all goroutines but the calling one.
func goroutines() map[string]bool {
	names := map[string]bool{}
	for i, text := range strings.Split(string(stacks()), "\n\n") {
		if name, ok := strings.CutPrefix(text, "goroutine "); ok && i > 0 {
			name, _, _ = strings.Cut(name, " ")
			names[name] = true
		}
	}
	return names
}

// openFiles counts this process's file descriptors, or is 0 where the system does not tell.
func openFiles() int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(list)
}

// step lets every device look for work once, collects completions and events, and tells whether there were any.
func (r *rig) step() bool {
	var done [16]verbs.Completion
	var events [4]verbs.Event
	busy := false
	for _, b := range r.boxes {
		if b.muted {
			continue
		}
		n := b.cq.Poll(done[:])
		for _, c := range done[:n] {
			r.note("cq %d: qp %d %v id %d %v len %d marks %x", b.cq.Num(), c.QP, c.Op, c.ID, c.Status, c.Len, c.Marks)
		}
		b.done = append(b.done, done[:n]...)
		busy = busy || n > 0
	}
	for i, h := range r.hosts {
		if i > 0 && r.hosts[i-1] == h {
			continue
		}
		n := h.dev.PollEvents(events[:])
		for _, e := range events[:n] {
			r.note("host %d: event %v num %d peer %v err %v lost %d", i, e.Kind, e.Num, e.Peer, e.Err, e.Lost)
		}
		h.events = append(h.events, events[:n]...)
		busy = busy || n > 0
	}
	return busy
}

// until steps until ok, and fails the case when it has lost r.opt.Patience.
func (r *rig) until(what string, ok func() bool) {
	r.Helper()
	if !r.within(r.opt.Patience, ok) {
		r.Fatalf("waited %v for %s", r.opt.Patience, what)
	}
}

// within steps until ok or the time is over, and tells which.
func (r *rig) within(limit time.Duration, ok func() bool) bool {
	end := r.world.Now() + limit
	for idle := 0; !ok(); {
		if r.step() {
			idle = 0
			continue
		}
		if idle++; idle > 300 {
			r.world.Sleep(10 * time.Microsecond)
		} else {
			r.world.Pass()
		}
		if idle%16 == 0 && r.world.Now() > end {
			return ok()
		}
	}
	return true
}

// times is how often to repeat something that is worth n repetitions: all of them, or a quarter if brief.
func (r *rig) times(n int) int {
	if r.opt.Brief {
		return (n + 3) / 4
	}
	return n
}

// settle lets the devices work for a moment in which nothing is expected to happen.
func (r *rig) settle() {
	moment := 20 * time.Millisecond
	if r.opt.Brief {
		moment = 5 * time.Millisecond
	}
	r.within(moment, func() bool { return false })
}

// take waits for n completions in b and takes the oldest n.
func (r *rig) take(b *box, n int) []verbs.Completion {
	r.Helper()
	r.until(fmt.Sprintf("%d completions in cq %d, have %d", n, b.cq.Num(), len(b.done)),
		func() bool { return len(b.done) >= n })
	done := b.done[:n:n]
	b.done = b.done[n:]
	return done
}

// event waits for an event of one of the kinds about number num (0: any) and takes it.
func (r *rig) event(h *host, num uint32, kinds ...verbs.EventKind) verbs.Event {
	r.Helper()
	var found verbs.Event
	r.until(fmt.Sprintf("event %v about %d", kinds, num), func() bool {
		e, ok := h.find(num, kinds...)
		found = e
		return ok
	})
	return found
}

// find takes the oldest event of one of the kinds about num, if there is one.
func (h *host) find(num uint32, kinds ...verbs.EventKind) (verbs.Event, bool) {
	for i, e := range h.events {
		for _, k := range kinds {
			if e.Kind == k && (num == 0 || e.Num == num) {
				h.events = append(h.events[:i:i], h.events[i+1:]...)
				return e, true
			}
		}
	}
	return verbs.Event{}, false
}

// note keeps a line for the report.
func (r *rig) note(format string, args ...any) {
	if len(r.log) >= 400 {
		r.log = append(r.log[:0:0], r.log[200:]...)
	}
	r.log = append(r.log, fmt.Sprintf(format, args...))
}

// report describes everything a reader of a failure wants to know.
func (r *rig) report() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v on %q, seed %d (case %d)\n", r.typ, r.caps.Name, r.opt.Seed, r.seed)
	for i, e := range r.ends {
		if i == 12 {
			fmt.Fprintf(&b, "… %d more queue pairs\n", len(r.ends)-i)
			break
		}
		fmt.Fprintf(&b, "qp %d at %v: %v %v, not taken: %d sends %d receives\n", e.qp.Num(), e.qp.Addr(), e.qp.Type(),
			e.qp.State(), len(e.sends.done), len(e.recvs.done))
	}
	for _, line := range r.log[max(0, len(r.log)-40):] {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	for i, h := range r.hosts {
		if i > 0 && r.hosts[i-1] == h {
			continue
		}
		fmt.Fprintf(&b, "host %d counts", i)
		for name, n := range h.dev.Counters() {
			if n > 0 {
				fmt.Fprintf(&b, " %s=%d", name, n)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

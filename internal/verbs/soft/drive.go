package soft

import (
	"math"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/socket"
)

// source is something the poller tells about: a connection, a listener or a UDP socket.
type source interface {
	// ready does what there is to do; it answers whether it did anything.
	ready(read, write bool) bool
}

// sources gives tokens to sources; a token that is out of date finds nothing.
type sources struct {
	slots []struct {
		s   source
		gen uint32
	}
	free []uint32
}

// add gives a token for s.
func (t *sources) add(s source) uint64 {
	i := uint32(len(t.slots))
	if n := len(t.free); n > 0 {
		i, t.free = t.free[n-1], t.free[:n-1]
	} else {
		t.slots = append(t.slots, struct {
			s   source
			gen uint32
		}{})
	}
	t.slots[i].s = s
	return uint64(t.slots[i].gen)<<32 | uint64(i)
}

// remove makes a token invalid.
func (t *sources) remove(token uint64) {
	slot := &t.slots[uint32(token)]
	slot.s = nil
	slot.gen = (slot.gen + 1) & (1<<31 - 1)
	t.free = append(t.free, uint32(token))
}

// find returns the source of a token, or nil.
func (t *sources) find(token uint64) source {
	if i := uint32(token); int(i) < len(t.slots) && t.slots[i].gen == uint32(token>>32) {
		return t.slots[i].s
	}
	return nil
}

const (
	// maxDirect is how many sources a poll asks one by one; asking the poller about many costs less.
	maxDirect = 2
	// pollerEvery is after how many such polls the poller is asked all the same, for those not asked directly;
	// pollerSoon is the same while connections are being made.
	pollerEvery = 256
	pollerSoon  = 4
	// tick is for how long the device's goroutine lets others drive before it looks whether they still do; rest
	// is the same while somebody is inside Wait.
	tick = 1_000_000
	rest = 20_000_000
)

// attend notes that a caller drives the device.
func (d *Device) attend() {
	if !d.attended.Load() {
		d.attended.Store(true)
	}
}

// drive does what there is to do now, without waiting.
func (d *Device) drive() bool {
	d.count.polls++
	if len(d.deferred) > 0 {
		d.pumpDeferred()
	}
	d.spinning = true
	worked := d.look()
	d.spinning = false
	return worked
}

// look asks sockets and timers.
func (d *Device) look() bool {
	worked := false
	d.spun++
	every := pollerEvery
	if d.shaking > 0 {
		every = pollerSoon
	}
	if len(d.direct) <= maxDirect && d.spun < every {
		for i := 0; i < len(d.direct); i++ {
			worked = d.direct[i].ready(true, false) || worked
		}
	} else {
		d.spun = 0
		worked = d.askPoller()
	}
	if at := d.timers.next(); at != 0 {
		if now := clock.Now(); at <= now {
			d.timers.run(now)
			worked = true
		}
	}
	return worked
}

// askPoller serves what the poller reports.
func (d *Device) askPoller() bool {
	n, err := d.poll.Wait(d.ready[:], 0)
	if err != nil {
		return false
	}
	worked := false
	for _, ev := range d.ready[:n] {
		if s := d.sources.find(ev.Token); s != nil {
			worked = s.ready(ev.Read, ev.Write) || worked
		}
	}
	d.wakeSleeper()
	return worked
}

// wakeSleeper wakes the caller of Wait that sleeps on the sockets, if it has something to do. A call of the poller
// may have taken the ring that was meant for it.
func (d *Device) wakeSleeper() {
	if c := d.inPoller; c != nil && (c.Len() > 0 || c.closed) {
		d.poll.Wake()
	}
}

// watch puts a source into the set; the caller keeps the token.
func (d *Device) watch(s source, fd int, write bool) (uint64, error) {
	token := d.sources.add(s)
	if err := d.poll.Add(fd, token, write); err != nil {
		d.sources.remove(token)
		return 0, err
	}
	return token, nil
}

// addDirect has polls ask s without asking the poller; dropDirect ends that.
func (d *Device) addDirect(s source) { d.direct = append(d.direct, s) }

func (d *Device) dropDirect(s source) {
	for i, x := range d.direct {
		if x == s {
			last := len(d.direct) - 1
			d.direct[i] = d.direct[last]
			d.direct[last] = nil
			d.direct = d.direct[:last]
			return
		}
	}
}

// serve is the device's goroutine: while nobody polls, it sleeps on the sockets and serves what arrives.
func (d *Device) serve() {
	defer close(d.done)
	var some [1]socket.Event
	for {
		others := d.waiters.Load() > 0 || d.attended.Swap(false)
		if others {
			if d.letOthersDrive(); d.attended.Load() {
				continue
			}
		} else if _, err := d.poll.Wait(some[:], d.untilTimer()); err != nil {
			return
		}
		d.mu.Lock()
		d.sleepsTo = 0
		if d.closed {
			d.mu.Unlock()
			return
		}
		if d.inPoller != nil && !others {
			d.poll.Wake() // the ring may have been meant for it
		} else if d.inPoller == nil && !d.attended.Load() {
			d.count.served++
			d.pumpDeferred()
			d.askPoller()
			d.timers.run(clock.Now())
		}
		d.mu.Unlock()
	}
}

// letOthersDrive sleeps for a while, or until somebody says that nobody drives.
func (d *Device) letOthersDrive() {
	limit := int64(tick)
	if d.waiters.Load() > 0 {
		limit = rest
	}
	d.asleep.Arm()
	d.asleep.Sleep(limit)
	d.asleep.Disarm()
}

// leave tells the device's goroutine that the caller will not poll for a while.
func (d *Device) leave() {
	d.attended.Store(false)
	d.asleep.Ring()
}

// untilTimer is how long to sleep until the next timer, -1 if there is none.
func (d *Device) untilTimer() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := d.timers.next()
	if at == 0 {
		d.sleepsTo = math.MaxInt64
		return -1
	}
	d.sleepsTo = at
	return max(at-clock.Now(), 1)
}

// setTimer has t fire at a time, 0 never, whoever sleeps.
func (d *Device) setTimer(t *timer, at int64) {
	d.timers.set(t, at)
	if at != 0 && at < d.sleepsTo {
		d.sleepsTo = at
		d.poll.Wake()
	}
}

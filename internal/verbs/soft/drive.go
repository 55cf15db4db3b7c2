package soft

import (
	"math"
	"sync/atomic"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/socket"
)

const (
	// maxDirect is how many sources a poll asks one by one; asking the poller about many costs less.
	maxDirect = 2
	// pollerEvery is after how many such polls the poller is asked all the same, for those not asked directly;
	// pollerSoon is the same while connections are being made.
	pollerEvery = 256
	pollerSoon  = 4
	// tick is for how long the device's goroutine lets others drive before it looks whether they still do; while
	// they do, it looks ever more rarely, up to longTick, because looking takes a core from somebody. While somebody is
	// inside Wait it rests until that one leaves.
	tick     = 1_000_000
	longTick = 8_000_000
)

// driver is who does what there is to do: callers who poll or wait, and if there are none the device's own goroutine.
type driver struct {
	attendance
	ready    [64]socket.Event
	spun     int   // polls since the poller was asked
	spinning bool  // the caller polls, and will again
	inPoller *cq   // whose caller of Wait sleeps on the sockets
	waitsTo  int64 // when that caller will look at the timers
	done     chan struct{}
}

func newDriver() driver {
	return driver{attendance: attendance{asleep: clock.NewBell()}, done: make(chan struct{})}
}

// attendance is who drives the device.
type attendance struct {
	attended atomic.Bool  // somebody polled since the device's goroutine looked last
	waiters  atomic.Int32 // callers inside Wait
	asleep   doorbell     // of the device's goroutine while others drive
	rests    atomic.Bool  // it sleeps there until nobody is inside Wait
	sleepsTo int64        // when that goroutine, sleeping on the sockets, will look at the timers; 0 if it is awake
}

// leaveWait notes that a caller leaves Wait. Callers poll after that, so the device's goroutine looks now and then from
// now on whether they do.
func (a *attendance) leaveWait() {
	if a.waiters.Add(-1) == 0 && a.rests.Load() {
		a.asleep.Ring()
	}
}

// attend notes that a caller drives the device. The device's goroutine must know, to take over when the caller leaves:
// if it sleeps on the sockets it is woken.
func (d *Device) attend() {
	if !d.attended.Load() {
		d.attended.Store(true)
	}
	if d.sleepsTo != 0 {
		d.poll.Wake()
		d.sleepsTo = 0 // once is enough, and it may take the goroutine long to get its turn
	}
}

// drive does what there is to do now, without waiting.
func (d *Device) drive() bool {
	d.count.polls++
	if len(d.deferred) > 0 {
		d.pumpDeferred()
	}
	if d.turns++; d.turns == detachAfter {
		d.detach()
	}
	d.spinning = d.waiters.Load() == 0 && d.attended.Load() // else nobody notices when the caller leaves
	d.paused = false
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
	if len(d.direct) <= maxDirect {
		for i := 0; i < len(d.direct) && !d.paused; i++ {
			worked = d.direct[i].ready(true, false) || worked
		}
	}
	if (len(d.direct) > maxDirect || d.spun >= every) && !d.paused {
		d.spun = 0
		worked = d.askPoller() || worked
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
	return d.serveEvents(d.ready[:n])
}

// serveEvents does what the poller has reported. A source that is gone meanwhile is not found.
func (d *Device) serveEvents(events []socket.Event) bool {
	worked := false
	for _, ev := range events {
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
	c, at := d.inPoller, d.timers.next()
	if c != nil && (c.Len() > 0 || c.closed || at != 0 && at < d.waitsTo) {
		d.poll.Wake()
	}
}

// serve is the device's goroutine: while nobody polls, it sleeps on the sockets and serves what arrives.
func (d *Device) serve() {
	defer close(d.done)
	var some [1]socket.Event
	pause := int64(tick)
	for {
		others := d.letOthersDrive(pause)
		if others {
			if pause = min(2*pause, longTick); d.attended.Load() {
				continue
			}
			pause = tick
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
			d.attach()
			d.pumpDeferred()
			d.askPoller()
			d.timers.run(clock.Now())
		}
		d.mu.Unlock()
	}
}

// doorbell is where the device's goroutine sleeps while others drive: a clock.Bell.
type doorbell interface {
	Arm()
	Disarm()
	Sleep(limit int64)
	Ring()
	Forward()
}

// letOthersDrive sleeps for a while, or until somebody says that nobody drives; it answers false at once if
// nobody does. The bell is armed before it looks: who leaves before that is seen to be gone, and who leaves
// later rings.
func (d *Device) letOthersDrive(limit int64) bool {
	d.asleep.Arm()
	d.rests.Store(true)
	defer d.asleep.Disarm()
	defer d.rests.Store(false)
	if d.waiters.Load() > 0 {
		d.asleep.Sleep(0)
		return true
	}
	d.rests.Store(false)
	if !d.attended.Swap(false) {
		return false
	}
	d.asleep.Sleep(limit)
	return true
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
	if at == 0 {
		return
	}
	if at < d.sleepsTo {
		d.sleepsTo = at
		d.poll.Wake()
	}
	if d.inPoller != nil && at < d.waitsTo {
		d.poll.Wake()
	}
}

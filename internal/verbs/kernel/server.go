package kernel

import (
	"errors"
	"sync"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/socket"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/auth"
	"github.com/weft-mpi/weft/internal/verbs/kernel/cm"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// server is what the device's goroutine does: it sleeps on the driver's files and on TCP connections.
type server struct {
	poll      *socket.Poller
	sources   map[uint64]source // by token; one that is out of date finds nothing
	lastToken uint64
	some      [16]socket.Event
	pressing  map[timed]bool // what has a deadline
	sleepsTo  int64          // when the goroutine will look at deadlines; 0 if it is awake or never
	unproven  []*link        // whose peers have shown nothing, oldest first
	asked     auth.Nonces    // of requests for connections
	done      chan struct{}

	pulse   pulse            // of iWARP
	byUID   map[uint64]named // of the connection manager
	lastUID uint64
	calls   sync.WaitGroup // of the connection manager that may block
	burials sync.WaitGroup // of queue pairs; see bury
}

// timed is something that has to be looked at when a time has come.
type timed interface {
	due() int64
	expire()
}

// deadline is when something has to be looked at.
type deadline struct {
	dev *Device
	of  timed // whose it is
	at  int64 // 0: never
}

// due is that time.
func (l *deadline) due() int64 { return l.at }

// limit gives it so much time from now; 0 takes the limit away.
func (l *deadline) limit(wait int64) {
	if wait == 0 {
		l.at = 0
		delete(l.dev.pressing, l.of)
		return
	}
	l.at = clock.Now() + wait
	l.dev.press(l.of)
}

// source is something the poller tells about.
type source interface{ ready(read, write bool) }

// startServer begins to serve the driver's files.
func (d *Device) startServer() error {
	poll, err := socket.NewPoller()
	if err != nil {
		return err
	}
	d.server = server{poll: poll, sources: map[uint64]source{}, pressing: map[timed]bool{}, byUID: map[uint64]named{}, done: make(chan struct{})}
	d.pulse.deadline = deadline{dev: d, of: &d.pulse}
	notices := d.ctx.Notices()
	_, first := d.watch(completionFile{d, notices}, notices.Completions(), false)
	_, second := d.watch(eventFile{d, notices}, notices.Events(), false)
	var third error
	if d.iwarp() {
		_, third = d.watch(managerFile{d}, d.cfg.Connector.FD(), false)
	}
	if err := errors.Join(first, second, third); err != nil {
		return errors.Join(err, poll.Close())
	}
	go d.serve()
	return nil
}

// stopServer ends that.
func (d *Device) stopServer() error {
	err := d.poll.Close()
	<-d.done
	d.calls.Wait()
	return errors.Join(err, d.closeConnector())
}

// openConnector opens the connection manager for devices that need it, unless it is open.
func (d *Device) openConnector() error {
	if !d.iwarp() || d.cfg.Connector.IDs != nil {
		return nil
	}
	m, err := cm.Open()
	if err == nil {
		d.cfg.Connector = m.Connector()
	}
	return err
}

// closeConnector gives the connection manager back.
func (d *Device) closeConnector() error {
	if d.cfg.Connector.IDs == nil {
		return nil
	}
	return d.cfg.Connector.Close()
}

// watch has the poller tell of a file, and gives its token.
func (d *Device) watch(s source, fd int, write bool) (uint64, error) {
	d.lastToken++
	if err := d.poll.Add(fd, d.lastToken, write); err != nil {
		return 0, err
	}
	d.sources[d.lastToken] = s
	return d.lastToken, nil
}

// unwatch ends that, before the file is closed.
func (d *Device) unwatch(fd int, token uint64) {
	if d.sources[token] != nil {
		delete(d.sources, token)
		d.poll.Remove(fd)
	}
}

// serve is the device's goroutine.
func (d *Device) serve() {
	defer close(d.done)
	var some [16]socket.Event
	for {
		n, err := d.poll.Wait(some[:], d.rest())
		if err != nil {
			return
		}
		d.mu.Lock()
		d.sleepsTo = 0
		if d.closed {
			d.mu.Unlock()
			return
		}
		d.heed(some[:n])
		for _, c := range d.cqs { // whoever rings the doorbell may have meant them
			if c.sleeping > 0 && c.Rung() {
				c.bell.Forward()
			}
		}
		d.mu.Unlock()
	}
}

// rest is how long the goroutine may sleep, -1 for ever.
func (d *Device) rest() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	for t := range d.pressing {
		if d.sleepsTo == 0 || t.due() < d.sleepsTo {
			d.sleepsTo = t.due()
		}
	}
	if d.sleepsTo == 0 {
		return -1
	}
	return max(d.sleepsTo-clock.Now(), 1)
}

// heed serves what the poller has told, and those whose time is up.
func (d *Device) heed(events []socket.Event) {
	for _, ev := range events {
		if s := d.sources[ev.Token]; s != nil {
			s.ready(ev.Read, ev.Write)
		}
	}
	now := clock.Now()
	for t := range d.pressing {
		if t.due() <= now {
			t.expire()
		}
	}
	d.settle()
}

// press has t looked at when it is due.
func (d *Device) press(t timed) {
	d.pressing[t] = true
	if d.sleepsTo == 0 || t.due() < d.sleepsTo {
		d.poll.Wake()
	}
}

// glance serves what there is, without waiting.
func (d *Device) glance() {
	if n, err := d.poll.Wait(d.some[:], 0); err == nil {
		d.heed(d.some[:n])
	}
}

// completionFile tells of completion queues that were asked to.
type completionFile struct {
	d       *Device
	notices ibv.Notices
}

func (f completionFile) ready(bool, bool) {
	for id, ok := f.notices.NextCQ(); ok; id, ok = f.notices.NextCQ() {
		if c := f.d.cqs[id]; c != nil {
			c.noticed()
		}
	}
}

// eventFile tells of events.
type eventFile struct {
	d       *Device
	notices ibv.Notices
}

var (
	errDriver = errors.New("the driver reports an error of the queue pair")
	errGone   = errors.New("the device has failed")
)

func (f eventFile) ready(bool, bool) {
	for e, ok := f.notices.NextEvent(); ok; e, ok = f.notices.NextEvent() {
		f.d.happened(e)
	}
}

// happened deals with an event of the driver's.
func (d *Device) happened(e ibv.Event) {
	switch e.Kind {
	case ibv.EventSRQLimit:
		if s := d.srqs[e.ID]; s != nil {
			d.event(verbs.Event{Kind: verbs.SRQLimit, Num: s.num})
		}
	case ibv.EventCQError:
		if c := d.cqs[e.ID]; c != nil {
			d.overflow(c)
		}
	case ibv.EventQPFatal, ibv.EventQPRequest, ibv.EventQPAccess:
		for q := range d.qps {
			if q.driver != nil && q.driver.ID() == e.ID {
				d.breaks(q, errDriver, true)
			}
		}
	case ibv.EventDeviceFatal:
		for q := range d.qps {
			d.breaks(q, errGone, false)
		}
	}
}

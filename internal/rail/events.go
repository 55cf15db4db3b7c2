package rail

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/verbs"
)

// takeEvents handles what happened to connections.
func (l *Link) takeEvents() (any bool) {
	l.event.Store(false)
	n := l.cfg.Device.PollEvents(l.events[:])
	if n == len(l.events) {
		l.event.Store(true) // there may be more
	}
	for i := range l.events[:n] {
		l.takeEvent(&l.events[i])
		l.events[i] = verbs.Event{}
	}
	return n > 0
}

func (l *Link) takeEvent(e *verbs.Event) {
	switch e.Kind {
	case verbs.ConnectRequest:
		l.requested(e.Request)
		return
	case verbs.SRQLimit:
		l.Counters.Watermarks++
		if l.dgrams != nil && e.Num == l.dgrams.srq.Num() {
			l.dgrams.refill()
		} else {
			l.refill()
		}
		return
	case verbs.EventsLost:
		l.Counters.EventsLost += uint64(e.Lost)
		return
	}
	ln := l.lanes[e.Num]
	if ln == nil {
		return
	}
	switch e.Kind {
	case verbs.Established:
		ln.established(e.Private)
	case verbs.Rejected:
		ln.rejected(e.Private)
	case verbs.ConnectFailed, verbs.QPFatal:
		ln.failed(e.Err)
	case verbs.Disconnected:
		ln.failed(fmt.Errorf("rail: rank %d %w", ln.peer.rank, errEnded))
	}
}

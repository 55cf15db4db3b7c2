package launch

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/launch/frame"
)

// reach has the agent run words that lead to another host's agent. Of what comes that way, and goes, no more than a
// window is under way, as of a rank's streams. The number id belongs to no rank and to no other reach.
func (l *link) reach(id int, words []string) *connection {
	c := newConnection(l.feed(id), l.open(id, frame.Stdout), l.open(id, frame.Stderr))
	c.end = func() {
		l.put(&frame.Drop{ID: id})
		l.closeStreams(id)
	}
	c.free = func() {}
	l.mu.Lock()
	deaf := l.reaches == nil
	if !deaf {
		l.reaches[id] = c
	}
	l.mu.Unlock()
	if deaf {
		l.endReach(id, c, -1)
	} else {
		l.put(&frame.Reach{ID: id, Words: words})
	}
	return c
}

// endReach notes that nothing leads to an agent any more.
func (l *link) endReach(id int, c *connection, code int) {
	l.closeStreams(id)
	c.code = code
	close(c.ended)
}

// reachEnded notes how the words of a reach have ended.
func (l *link) reachEnded(m *frame.Reached) error {
	l.mu.Lock()
	c := l.reaches[m.ID]
	delete(l.reaches, m.ID)
	l.mu.Unlock()
	if c == nil {
		return fmt.Errorf("%w: what nobody began has ended", frame.ErrFrame)
	}
	if m.Error != "" {
		_, _ = c.said.Write([]byte(m.Error))
	}
	l.endReach(m.ID, c, m.Code)
	return nil
}

// endReaches ends what leads through this agent to others, when nothing more comes from it.
func (l *link) endReaches() {
	l.mu.Lock()
	all := l.reaches
	l.reaches = nil
	l.mu.Unlock()
	for id, c := range all {
		l.endReach(id, c, -1)
	}
}

// isQuiet tells whether nothing has come for a beat from the agent, or from one that leads to it.
func (l *link) isQuiet() bool {
	return l != nil && (l.quiet.Load() || l.via.isQuiet())
}

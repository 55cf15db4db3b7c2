package launch

import "time"

// holdPeriod is how long the crash report of a rank that does not end is kept back. A rank that does end
// may need seconds for it on a machine that hardly gets on.
const holdPeriod = 5 * time.Second

// hold keeps back the crash report of a Go program, from the line that says why it crashes to the end, so that the
// launcher can name the rank first and the reports of several ranks do not mingle. It keeps at most lineMax bytes, for
// at most holdPeriod: a program may print such a line and live. The stream's lock guards it.
type hold struct {
	memory  *memory // what standard error said last; nil for standard output
	allowed bool    // the sink is shared; a file of the rank's own needs no order
	holding bool
	over    bool // the stream has ended
	held    []byte
	timer   *time.Timer
}

// keep takes the next bytes of the stream. before is to be passed on now. kept is false when nothing is kept back any
// longer. release is called, from another goroutine, when the report has been kept for too long.
func (h *hold) keep(data []byte, release func()) (before []byte, kept bool) {
	crash := -1
	if h.memory != nil {
		crash = h.memory.add(data)
	}
	if h.holding {
		h.held = append(h.held, data...)
		return nil, len(h.held) <= lineMax
	}
	if crash < 0 || !h.allowed {
		return data, true
	}
	h.holding = true
	h.held = append(h.held[:0], data[crash:]...)
	h.timer = time.AfterFunc(holdPeriod, release)
	return data[:crash], true
}

// letGo returns what was kept back and keeps nothing more of this report. The bytes are valid until the next keep.
func (h *hold) letGo() []byte {
	if !h.holding {
		return nil
	}
	h.holding = false
	h.timer.Stop()
	return h.held
}

// shown tells whether what the stream carries is shown with the launcher's own words, as soon as it comes.
func (s *stream) shown() bool { return s.allowed }

// keepsBack tells whether a crash report is waiting.
func (s *stream) keepsBack() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holding
}

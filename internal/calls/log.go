package calls

// Message is where a message goes: the process, the communicator's context and the tag.
type Message struct {
	Peer int    `json:"peer"`
	Ctx  uint32 `json:"ctx"`
	Tag  int32  `json:"tag"`
}

// Trace is all calls of a rank, and the messages that it has received. Times are the rank's own, in nanoseconds.
type Trace struct {
	Offset  int64     `json:"offset_ns"` // rank 0's clock minus this rank's
	Bound   int64     `json:"bound_ns"`  // by how much that may be wrong
	Calls   []Event   `json:"calls"`
	Taken   []Arrival `json:"taken"`
	Dropped int       `json:"dropped"` // calls and messages beyond the limit
}

// Event is one call. To is where its message goes, with Nobody as peer if it sends none.
type Event struct {
	Call  string  `json:"call"`
	Place string  `json:"place"`
	Start int64   `json:"start_ns"`
	Took  int64   `json:"took_ns"`
	Bytes int     `json:"bytes"`
	To    Message `json:"to"`
}

// Arrival is a message that a rank has received. Those from one peer with one tag match messages in the
// order of Posted.
type Arrival struct {
	From    Message `json:"from"`
	Posted  int     `json:"posted"`
	Claimed bool    `json:"claimed,omitempty"` // by a matched probe: Posted says nothing then, nor does the context
	At      int64   `json:"at_ns"`             // when the call ended that took it
}

// MostKept is how many calls, and how many messages, a rank keeps.
const MostKept = 100_000

// log is the calls of a rank, in the order in which they ended.
type log struct {
	kept    []kept
	taken   []Arrival
	dropped int
}

type kept struct {
	Event
	places [most]uintptr
}

// Keep has every call kept from now on, as far as there is room. It comes before the first one.
func (r *Recorder) Keep() { r.log = new(log) }

// keep notes one call.
func (r *Recorder) keep(k key, c Call, took int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.log.kept) == MostKept {
		r.log.dropped++
		return
	}
	r.log.kept = append(r.log.kept, kept{Event{Call: c.name, Start: c.start, Took: took, Bytes: c.bytes, To: c.to}, k.places})
}

// Take notes that the rank has received a message now.
func (r *Recorder) Take(a Arrival) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.log.taken) == MostKept {
		r.log.dropped++
		return
	}
	a.At = r.now()
	r.log.taken = append(r.log.taken, a)
}

// trace is what was kept, with the names of places.
func (l *log) trace(library func(function string) bool) *Trace {
	t := &Trace{Taken: l.taken, Dropped: l.dropped}
	names := map[[most]uintptr]string{}
	for _, k := range l.kept {
		if _, known := names[k.places]; !known {
			names[k.places] = place(k.places, library)
		}
		k.Place = names[k.places]
		t.Calls = append(t.Calls, k.Event)
	}
	return t
}

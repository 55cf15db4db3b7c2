package progress

// Taken is a message that the program has received. Messages from one peer with one tag match receives in the order in
// which these were posted.
type Taken struct {
	Ctx     uint32 // of the communicator
	Peer    int
	Tag     int32
	Posted  int  // number of the receive, in the order in which receives were posted
	Claimed bool // by a matched probe, before; Ctx is 0 then
}

// taking is who is told of messages that the program receives.
type taking struct {
	took     func(Taken)
	receives int // posted since
}

// OnTaken has f told of every message that the program receives from now on, when the call ends that takes it; nil ends
// that. The lock is held then.
func (l *Loop) OnTaken(f func(Taken)) {
	l.lock()
	defer l.unlock()
	l.took = f
}

// number gives a receive its number.
func (l *Loop) number(r *Request) {
	if l.took != nil {
		l.receives++
		r.posted = l.receives
	}
}

// tellTaken tells of what a receive has taken, if it is the program's and has.
func (l *Loop) tellTaken(r *Request) {
	if l.took != nil && r.task == nil && r.Err == nil {
		l.took(Taken{r.Ctx, r.Status.Peer, r.Status.Tag, max(r.posted, -r.posted), r.posted < 0})
	}
	r.posted = 0
}

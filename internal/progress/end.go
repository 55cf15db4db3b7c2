package progress

// End is Fail for a loop that nobody drives any more: its links are about to be closed, and are not
// touched again. Whatever is still in flight, and every later call, ends with err. Close has been
// called.
func (l *Loop) End(err error) {
	l.lock()
	defer l.unlock()
	l.fail(err)
	l.eachWindow(func(w Window) { w.Fail(err) }) // had the job failed before, they would not know
	if l.cfg.Route == nil {
		one := l.one
		l.cfg.Route = func(int) *Link { return one }
	}
	l.over, l.one, l.links, l.catcher = true, nil, nil, nil
	for i := range l.timed {
		l.timed[i] = ended{}
	}
}

// ended is a link that has nothing to do any more.
type ended struct{}

func (ended) Due() int64   { return 0 }
func (ended) Urgent() bool { return false }
func (ended) Arm()         {}
func (ended) Idle() bool   { return true }
func (ended) Holds() bool  { return false }
func (ended) LetGo()       {}

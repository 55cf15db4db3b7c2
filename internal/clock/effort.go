package clock

// Effort measures what a task computes for itself: the real time between two of its calls of the library, as long as
// it is the task that runs. In virtual time only one task runs at a time, so what passes meanwhile is its own. Of the
// time that passes and of the processor time of the process the shorter counts: neither others who take the processor
// away nor other threads of the process are the task's.
type Effort struct {
	m      *Meter
	task   *Task
	spend  func(nano int64)
	inside int // calls that it is in
	from   reading
	due    float64 // nanoseconds measured, not yet spent
}

// Meter measures the efforts of the tasks of a scheduler.
type Meter struct {
	s     *Scheduler
	speed float64
	read  func() reading
	all   map[*Task]*Effort
}

// NewMeter makes a meter for tasks whose processors are speed times as fast as this host's; 0: nothing is measured.
func NewMeter(s *Scheduler, speed float64) *Meter {
	m := &Meter{s: s, speed: speed, read: read, all: map[*Task]*Effort{}}
	if speed > 0 {
		s.Turns(m.turn)
	}
	return m
}

// Begin begins to measure the task that runs. spend is called, as that task, with what it has computed.
func (m *Meter) Begin(spend func(nano int64)) *Effort {
	e := &Effort{m: m, task: m.s.Current(), spend: spend, inside: 1}
	m.all[e.task] = e
	e.Leave()
	return e
}

// Now is the time of the task that runs, which has computed until then.
func (m *Meter) Now() int64 {
	if e := m.all[m.s.Current()]; e != nil {
		e.Enter()
		defer e.Leave()
	}
	return m.s.Now()
}

// Enter begins a call of the library. Only the task itself may make one: others would run beside whoever has his turn.
func (e *Effort) Enter() {
	if e.m.s.Current() != e.task {
		panic("mpi: a call by another goroutine than the rank's own; " +
			"in a simulation, ranks call from the one that their function runs on")
	}
	if e.inside++; e.inside > 1 || e.m.speed == 0 {
		return
	}
	e.due += e.from.until(e.m.read())
	if whole := int64(e.due / e.m.speed); whole > 0 {
		e.due -= float64(whole) * e.m.speed
		e.spend(whole)
	}
}

// Leave ends a call.
func (e *Effort) Leave() {
	if e.inside--; e.inside == 0 && e.m.speed > 0 {
		e.from = e.m.read()
	}
}

// turn notes that a task begins or ends to run.
func (m *Meter) turn(t *Task, begins bool) {
	e := m.all[t]
	switch {
	case e == nil || e.inside > 0:
	case begins:
		e.from = m.read()
	default:
		e.due += e.from.until(m.read())
	}
}

// reading is when something was, by two clocks.
type reading struct{ passed, processor int64 }

func read() reading { return reading{Now(), processorTime()} }

// until is how long it was to a later reading, by the clock by which that is shorter.
func (m reading) until(later reading) float64 {
	return float64(max(0, min(later.passed-m.passed, later.processor-m.processor)))
}

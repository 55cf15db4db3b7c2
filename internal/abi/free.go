package abi

import (
	"errors"
	"sync"

	"github.com/weft-mpi/weft/internal/comm"
)

// A program may free a communicator while operations on it are under way: they end as if it had not, and what they
// need may come after. So MPI_Comm_free waits for nobody. A rank goes to the last meeting of the ranks as soon as
// nothing of its own is under way any more; when the meeting is over, nothing is anywhere, and the communicator ends.

// use is what a communicator has under way.
type use struct {
	mu       sync.Mutex
	ops      int            // begun, and not taken by the program
	forsaken []comm.Request // begun, with requests that the program has freed
	freed    bool
	meets    bool // the last meeting has begun
	meeting  comm.Request
}

// more notes the beginning of an operation.
func (cm *communicator) more() {
	if cm == nil {
		return
	}
	cm.use.mu.Lock()
	defer cm.use.mu.Unlock()
	cm.use.ops++
}

// less notes that the program has taken one.
func (cm *communicator) less() {
	if cm == nil {
		return
	}
	u := &cm.use
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ops--
	cm.meet(false)
}

// forsake lets an operation run to its end, of which nobody wants to know.
func (cm *communicator) forsake(r comm.Request) {
	if cm == nil {
		_ = r.Free() // it is under way: that cannot fail
		return
	}
	u := &cm.use
	u.mu.Lock()
	defer u.mu.Unlock()
	u.ops--
	u.forsaken = append(u.forsaken, r)
	if n := len(u.forsaken); n&(n-1) == 0 { // now and then
		u.clear()
	}
	cm.meet(false)
}

// clear forgets forsaken operations that are over. The lock is held.
func (u *use) clear() {
	left := u.forsaken[:0]
	for _, r := range u.forsaken {
		if _, over, _ := r.One(false); !over { // whoever has forsaken it cares for no error
			left = append(left, r)
		}
	}
	clear(u.forsaken[len(left):])
	u.forsaken = left
}

// meet begins the last meeting, if the communicator has been freed and nothing is under way; or anyway. The lock is held.
func (cm *communicator) meet(anyway bool) {
	u := &cm.use
	if !u.freed || u.meets {
		return
	}
	if u.clear(); anyway || u.ops == 0 && len(u.forsaken) == 0 {
		u.meets, u.meeting = true, cm.c.StartFree()
	}
}

// end ends the communicator if its last meeting is over, or waits for that.
func (cm *communicator) end(waits bool) (over bool, err error) {
	u := &cm.use
	u.mu.Lock()
	defer u.mu.Unlock()
	if cm.meet(waits); !u.meets {
		return false, nil
	}
	if _, over, err = u.meeting.One(waits); over {
		cm.c.Leave()
	}
	return over, err
}

// leaving are communicators that the program has freed, and that have not ended.
type leaving struct {
	mu  sync.Mutex
	all []*communicator
}

// mostLeaving is how many of them a rank has before it waits for one: their numbers are not endless, and ranks that free
// many do not run away from each other.
const mostLeaving = 256

// leave frees a communicator. With waits it waits for the other ranks, if nothing is under way here.
func (p *Proc) leave(cm *communicator, waits bool) error {
	cm.use.mu.Lock()
	cm.use.freed = true
	cm.meet(false)
	waits = waits && cm.use.meets
	cm.use.mu.Unlock()
	l := &p.leaving
	l.mu.Lock()
	defer l.mu.Unlock()
	if waits {
		_, err := cm.end(true)
		return err
	}
	l.all = append(l.all, cm)
	return l.reap(mostLeaving)
}

// reap ends those whose last meetings are over, and waits for some as long as there are more than most. The lock is
// held.
func (l *leaving) reap(most int) (failed error) {
	left := l.all[:0]
	for i, cm := range l.all {
		over, err := cm.end(len(left)+len(l.all)-i > most)
		if failed = errors.Join(failed, err); !over {
			left = append(left, cm)
		}
	}
	clear(l.all[len(left):])
	l.all = left
	return failed
}

// leaveAll ends all of them: the process leaves its job.
func (p *Proc) leaveAll() error {
	p.leaving.mu.Lock()
	defer p.leaving.mu.Unlock()
	return p.leaving.reap(0)
}

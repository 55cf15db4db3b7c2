package abi

import (
	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
)

// session is a session: it needs the rank to be up, and has groups, errors and buffers of its own.
type session struct {
	handle uintptr
	errors errhandler
	info   *info
	buffer sendBuffer
}

// chapterSessions has sessions.
var chapterSessions = map[string]row{
	"Session_init": {do: initSession, always: true}, "Session_finalize": {do: finalizeSession}, "Session_get_info": {do: sessionInfo},
	"Session_get_num_psets": {do: countSets}, "Session_get_nth_pset": {do: nthSet}, "Session_get_pset_info": {do: setInfoOf}, "Group_from_session_pset": {do: groupOfSet},
}

// sets are the names of process sets.
var sets = []string{"mpi://WORLD", "mpi://SELF"}

// session is argument i, a session.
func (c call) session(i int) (*session, error) {
	if s := c.p.sessions.get(c.word(i)); s != nil {
		return s, nil
	}
	return nil, bad(spec.ERR_SESSION, "0x%x is no session, or it is over", c.word(i))
}

// initSession is Session_init: info, error handler, session.
func initSession(c call) error {
	hints, err := c.optionalInfo(0)
	if err != nil {
		return err
	}
	h, err := c.p.errhandlerAt(c.word(1), sessionKind)
	if err != nil {
		return err
	}
	if err := c.outs(2); err != nil {
		return err
	}
	p := c.p
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state.Load() == finalized {
		return bad(spec.ERR_OTHER, "the process has left its job; a session must begin before the last MPI_Finalize")
	}
	if err := p.join(); err != nil {
		return err
	}
	s := &session{errors: h, info: hints.clone()}
	s.info.set("thread_level", "MPI_THREAD_MULTIPLE")
	if s.handle, err = p.sessions.add(s); err != nil {
		return err
	}
	p.uses++
	p.state.Store(running)
	c.setHandle(2, s.handle)
	return nil
}

func finalizeSession(c call) error {
	h, err := c.handleAt(0)
	if err != nil {
		return err
	}
	s := c.p.sessions.get(h)
	if s == nil {
		return bad(spec.ERR_SESSION, "0x%x is no session, or it is over", h)
	}
	if err := s.buffer.flush(); err != nil {
		return err
	}
	p := c.p
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sessions.remove(h)
	c.setHandle(0, spec.SESSION_NULL)
	if p.uses--; p.uses == 0 && p.worldOver {
		return p.over()
	}
	return nil
}

func sessionInfo(c call) error {
	s, err := c.session(0)
	if err != nil {
		return err
	}
	return c.newInfoAt(1, s.info.clone())
}

func countSets(c call) error {
	if _, err := c.session(0); err != nil {
		return err
	}
	if err := c.outs(2); err != nil {
		return err
	}
	c.setInt(2, len(sets))
	return nil
}

// nthSet is Session_get_nth_pset: session, info, number, room, which becomes what is needed, name.
func nthSet(c call) error {
	if _, err := c.session(0); err != nil {
		return err
	}
	n := c.int(2)
	if n < 0 || n >= len(sets) {
		return bad(spec.ERR_ARG, "process set %d of %d", n, len(sets))
	}
	at, err := c.out(3)
	if err != nil {
		return err
	}
	if room := int(*(*int32)(at)); room > 0 {
		if err := c.outs(4); err != nil {
			return err
		}
		c.setText(4, -1, room, sets[n])
	}
	c.setInt(3, len(sets[n])+1)
	return nil
}

// set is the group of the process set that argument i names.
func (c call) set(i int) (*comm.Group, error) {
	name, err := c.text(i)
	switch {
	case err != nil:
		return nil, err
	case name == sets[0]:
		return c.p.world.c.Group(), nil
	case name == sets[1]:
		return c.p.self.c.Group(), nil
	}
	return nil, bad(spec.ERR_ARG, "there is no process set %q", name)
}

func setInfoOf(c call) error {
	if _, err := c.session(0); err != nil {
		return err
	}
	g, err := c.set(1)
	if err != nil {
		return err
	}
	o := newInfo()
	o.set("mpi_size", itoa(g.Size()))
	return c.newInfoAt(2, o)
}

func groupOfSet(c call) error {
	if _, err := c.session(0); err != nil {
		return err
	}
	g, err := c.set(1)
	if err != nil {
		return err
	}
	return c.newGroup(2, g)
}

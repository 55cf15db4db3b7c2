package abi

import (
	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
)

// peek looks whether a request is over, without taking it: what came of it waits for whoever does.
func (p *Proc) peek(h uintptr, s *status) (over bool, err error) {
	r, err := p.requestOf(h)
	if err != nil {
		return false, err
	}
	if r == nil || !r.active() || r.sent {
		s.empty()
		return true, nil
	}
	if !r.done {
		st, over, failed := r.r.One(false)
		if !over {
			return false, failed
		}
		if r.end != nil {
			st, failed = r.end(st, failed)
		}
		r.done, r.found, r.failed = true, st, failed
		r.r, r.end = comm.Failed(nil), func(comm.Status, error) (comm.Status, error) { return st, failed }
		if start := r.start; start != nil {
			end := r.end
			r.end = func(st comm.Status, err error) (comm.Status, error) { r.done = false; return end(st, err) }
		}
	}
	s.put(&r.found)
	if r.query != nil {
		err = r.query(s, &r.found)
	}
	return true, err
}

func peekOne(c call) error {
	if err := c.outs(1); err != nil {
		return err
	}
	over, err := c.p.peek(c.word(0), c.statusAt(2))
	c.setFlag(1, over)
	return err
}

// peeked are the arguments of peekAll and its relatives.
func (c call) peeked() ([]uintptr, error) {
	n := c.int(0)
	if n < 0 {
		return nil, bad(spec.ERR_COUNT, "%d requests", n)
	}
	if err := c.outs(2); err != nil {
		return nil, err
	}
	return array[uintptr](c, 1, n)
}

func peekAll(c call) error {
	handles, err := c.peeked()
	if err != nil {
		return err
	}
	all, every := c.statusesAt(3, len(handles)), true
	for i, h := range handles {
		var s *status
		if all != nil {
			s = &all[i]
		}
		over, err := c.p.peek(h, s)
		if err != nil {
			return err
		}
		every = every && over
	}
	c.setFlag(2, every)
	return nil
}

func peekAny(c call) error {
	handles, err := c.peeked()
	if err != nil {
		return err
	}
	if err := c.outs(3); err != nil {
		return err
	}
	active := 0
	for i, h := range handles {
		r, err := c.p.requestOf(h)
		if err != nil {
			return err
		}
		if r == nil || !r.active() {
			continue
		}
		active++
		if over, err := c.p.peek(h, c.statusAt(4)); over || err != nil {
			c.setInt(2, i)
			c.setFlag(3, over)
			return err
		}
	}
	c.setInt(2, spec.UNDEFINED)
	c.setFlag(3, active == 0)
	if active == 0 {
		c.statusAt(4).empty()
	}
	return nil
}

func peekSome(c call) error {
	handles, err := c.peeked()
	if err != nil {
		return err
	}
	indices, err := c.ints(3, len(handles))
	if err != nil {
		return err
	}
	all, active, count := c.statusesAt(4, len(handles)), 0, 0
	for i, h := range handles {
		r, err := c.p.requestOf(h)
		if err != nil {
			return err
		}
		if r == nil || !r.active() {
			continue
		}
		active++
		var s *status
		if all != nil {
			s = &all[count]
		}
		over, err := c.p.peek(h, s)
		if err != nil {
			return err
		}
		if over {
			indices[count] = int32(i)
			count++
		}
	}
	if active == 0 {
		count = spec.UNDEFINED
	}
	c.setInt(2, count)
	return nil
}

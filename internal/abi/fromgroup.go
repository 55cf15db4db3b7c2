package abi

import (
	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
)

// chapterFromGroup makes communicators of groups alone.
var chapterFromGroup = map[string]row{"Comm_create_group": {do: createGroup}, "Comm_create_from_group": {do: createFromGroup}}

// createGroup is Comm_create_group: communicator, group, tag, new communicator.
func createGroup(c call) error {
	cm, err := c.intracomm(0)
	if err != nil {
		return err
	}
	g, err := c.group(1)
	if err != nil {
		return err
	}
	if err := c.outs(3); err != nil {
		return err
	}
	return c.ofGroup(cm, g, c.int(2), 3)
}

// ofGroup makes a communicator of a group; who is not in it gets MPI_COMM_NULL.
func (c call) ofGroup(cm *communicator, g *group, tag, at int) error {
	if g.g.Rank(cm.c.Env().Self) == comm.Undefined {
		c.setHandle(at, spec.COMM_NULL)
		return nil
	}
	d, err := cm.c.CreateGroup(g.g, tag)
	if err != nil {
		return err
	}
	_, err = c.found(at, cm, d)
	return err
}

// createFromGroup is Comm_create_from_group: group, text that tells calls apart, info, error handler, new communicator.
func createFromGroup(c call) error {
	g, err := c.group(0)
	if err != nil {
		return err
	}
	text, err := c.text(1)
	if err != nil {
		return err
	}
	if _, err := c.optionalInfo(2); err != nil {
		return err
	}
	h, err := c.p.errhandlerAt(c.word(3), commKind)
	if err != nil {
		return err
	}
	if err := c.outs(4); err != nil {
		return err
	}
	if err := c.ofGroup(c.p.world, g, tagOf(text), 4); err != nil {
		return err
	}
	if cm := c.p.comms.get(*(*uintptr)(c.ptr(4))); cm != nil {
		cm.errors = h
	}
	return nil
}

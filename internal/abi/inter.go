package abi

import (
	"hash/fnv"
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
)

// chapterInter has intercommunicators.
var chapterInter = map[string]row{
	"Intercomm_create": {do: createInter}, "Intercomm_create_from_groups": {do: interFromGroups}, "Intercomm_merge": {do: mergeInter},
}

// intracomm is argument i, a communicator of one group.
func (c call) intracomm(i int) (*communicator, error) {
	cm, err := c.comm(i)
	if err == nil && cm.inter() {
		err = bad(spec.ERR_COMM, "the communicator is an intercommunicator")
	}
	return cm, err
}

// createInter is Intercomm_create: communicator of our side, its leader, communicator of the leaders, the other leader there, tag,
// new communicator.
func createInter(c call) error {
	cm, err := c.intracomm(0)
	if err != nil {
		return err
	}
	if err := c.outs(5); err != nil {
		return err
	}
	var bridge *comm.Comm // if there is none the leader finds out, and tells its side
	if peer, err := c.comm(2); err == nil {
		bridge = peer.c
	}
	d, err := cm.c.Intercomm(c.int(1), bridge, fromRank(c.int(3)), c.int(4))
	if err != nil {
		return err
	}
	_, err = c.found(5, cm, d)
	return err
}

// tagOf is a tag that tells calls with different texts apart.
func tagOf(text string) int {
	sum := fnv.New32a()
	sum.Write([]byte(text))
	return int(sum.Sum32() & comm.MaxTag)
}

// interFromGroups is Intercomm_create_from_groups: group of our side, its leader, group of the other side, its leader, text that tells
// calls apart, info, error handler, new communicator.
func interFromGroups(c call) error {
	var sides [2]*comm.Group
	var leaders [2]int
	for i := range sides {
		g, err := c.group(2 * i)
		if err != nil {
			return err
		}
		sides[i], leaders[i] = g.g, c.int(2*i+1)
		if leaders[i] < 0 || leaders[i] >= g.g.Size() {
			return bad(spec.ERR_RANK, "%s is %d; the group has %d processes", c.f.Args[2*i+1].Name, leaders[i], g.g.Size())
		}
	}
	if sides[0].Intersection(sides[1]).Size() > 0 {
		return bad(spec.ERR_GROUP, "a process is on both sides")
	}
	text, err := c.text(4)
	if err != nil {
		return err
	}
	if _, err := c.optionalInfo(5); err != nil {
		return err
	}
	h, err := c.p.errhandlerAt(c.word(6), commKind)
	if err != nil {
		return err
	}
	if err := c.outs(7); err != nil {
		return err
	}
	world, tag := c.p.world.c, tagOf(text)
	side, err := world.CreateGroup(sides[0], tag)
	if err != nil {
		return err
	}
	d, err := side.Intercomm(leaders[0], world, world.Group().Rank(sides[1].Process(leaders[1])), tag)
	if failed := side.Free(); err == nil {
		err = failed
	}
	if err != nil {
		return err
	}
	n, err := c.found(7, c.p.world, d)
	if n != nil {
		n.errors = h
	}
	return err
}

// mergeInter is Intercomm_merge: intercommunicator, whether our side comes last, new communicator.
func mergeInter(c call) error {
	cm, err := c.comm(0)
	if err != nil {
		return err
	}
	if err := c.outs(2); err != nil {
		return err
	}
	d, err := cm.c.Merge(c.int(1) != 0)
	if err != nil {
		return err
	}
	_, err = c.found(2, cm, d)
	return err
}

// bytesOf is the memory of a list.
func bytesOf[T any](list []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(*new(T))))
}

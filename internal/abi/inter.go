package abi

import (
	"hash/fnv"
	"slices"
	"strconv"
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/comm"
)

// An intercommunicator is a communicator of both groups underneath; ranks of the other group are translated here.

// inter is what an intercommunicator has besides the communicator of both groups.
type inter struct {
	local, remote *comm.Group
}

// chapterInter has intercommunicators.
var chapterInter = map[string]row{"Intercomm_create": {do: createInter}, "Intercomm_merge": {do: mergeInter}}

// intracomm is argument i, a communicator of one group.
func (c call) intracomm(i int) (*communicator, error) {
	cm, err := c.comm(i)
	if err == nil && cm.inter != nil {
		err = bad(spec.ERR_COMM, "the communicator is an intercommunicator")
	}
	return cm, err
}

// local is the group of the ranks on our side.
func (cm *communicator) local() *comm.Group {
	if cm.inter != nil {
		return cm.inter.local
	}
	return cm.c.Group()
}

// from is a rank of the interface as the communicator underneath has it.
func (cm *communicator) from(rank int) int {
	if cm.inter == nil || rank == spec.ANY_SOURCE || rank == spec.PROC_NULL {
		return fromRank(rank)
	}
	if rank < 0 || rank >= cm.inter.remote.Size() {
		return nobody
	}
	return cm.c.Group().Rank(cm.inter.remote.Process(rank))
}

// nameSource makes the source of a status a rank of the other group.
func (cm *communicator) nameSource(st *comm.Status) {
	if cm.inter != nil && st.Source >= 0 && st.Source < cm.c.Size() {
		st.Source = cm.inter.remote.Rank(cm.c.Group().Process(st.Source))
	}
}

// createInter is Intercomm_create: communicator of our side, its leader, communicator of the leaders, the other leader there, tag,
// new communicator. The leaders tell each other who their sides are.
func createInter(c call) error {
	cm, err := c.intracomm(0)
	if err != nil {
		return err
	}
	leader := c.int(1)
	if leader < 0 || leader >= cm.c.Size() {
		return bad(spec.ERR_RANK, "local_leader is %d; the communicator has ranks 0 to %d", leader, cm.c.Size()-1)
	}
	if err := c.outs(5); err != nil {
		return err
	}
	var told []int64 // processes of the other side; none: the leader has failed
	var failed error
	if cm.c.Rank() == leader {
		if told, failed = c.meetLeader(cm); failed != nil {
			told = nil
		}
	}
	if told, err = cm.share(told, leader); err != nil {
		return err
	}
	switch {
	case failed != nil:
		return failed
	case len(told) == 0:
		return bad(spec.ERR_OTHER, "the leader could not reach the other side")
	}
	theirs := make([]int, len(told))
	for i, p := range told {
		theirs[i] = int(p)
	}
	ours := slices.Clone(cm.c.Group().Processes())
	local, remote := comm.NewGroup(ours), comm.NewGroup(theirs)
	if local.Intersection(remote).Size() > 0 {
		return bad(spec.ERR_COMM, "a process is on both sides")
	}
	first, second := local, remote
	if slices.Min(theirs) < slices.Min(ours) {
		first, second = remote, local
	}
	both := first.Union(second)
	sum := fnv.New32a()
	sum.Write([]byte("intercomm " + strconv.Itoa(c.int(4))))
	d, err := c.p.world.c.CreateGroup(both, int(sum.Sum32()&comm.MaxTag))
	if err != nil {
		return err
	}
	n, err := c.found(5, cm, d)
	if n != nil {
		n.inter = &inter{local, remote}
	}
	return err
}

// meetLeader exchanges the processes of both sides with the other leader.
func (c call) meetLeader(cm *communicator) ([]int64, error) {
	peer, err := c.comm(2)
	if err != nil {
		return nil, err
	}
	at, tag := peer.from(c.int(3)), c.int(4)
	if err := peer.checkPeer(at, tag, true); err != nil {
		return nil, err
	}
	own := make([]int64, cm.c.Size())
	for i, p := range cm.c.Group().Processes() {
		own[i] = int64(p)
	}
	s := peer.c.Isend(bytesOf(own), at, tag, comm.Standard)
	m, err := peer.c.Mprobe(at, tag, true)
	if err != nil {
		return nil, err
	}
	theirs := make([]int64, m.Status().Bytes/8)
	if _, err := m.Mrecv(bytesOf(theirs)); err != nil {
		return nil, err
	}
	_, _, err = s.One(true)
	return theirs, err
}

// share has one rank tell the others a list of numbers.
func (cm *communicator) share(list []int64, root int) ([]int64, error) {
	n := []int64{int64(len(list))}
	if err := cm.c.Run(&comm.Call{Op: coll.Bcast, Root: root, Bytes: 8, Elem: 1, Out: bytesOf(n)}); err != nil {
		return nil, err
	}
	if cm.c.Rank() != root {
		list = make([]int64, n[0])
	}
	b := bytesOf(list)
	return list, cm.c.Run(&comm.Call{Op: coll.Bcast, Root: root, Bytes: len(b), Elem: 1, Out: b})
}

// bytesOf is the memory of a list.
func bytesOf[T any](list []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), len(list)*int(unsafe.Sizeof(*new(T))))
}

// splitInter makes intercommunicators of the ranks of both sides with the same color; of one side alone, none.
func (c call) splitInter(cm *communicator, color, key, at int) error {
	d, err := cm.c.Split(color, key)
	if err != nil {
		return err
	}
	if d == nil {
		c.setHandle(at, spec.COMM_NULL)
		return nil
	}
	in := &inter{d.Group().Intersection(cm.inter.local), d.Group().Intersection(cm.inter.remote)}
	if in.local.Size() == 0 || in.remote.Size() == 0 {
		c.setHandle(at, spec.COMM_NULL)
		return d.Free()
	}
	n, err := c.found(at, cm, d)
	if n != nil {
		n.inter = in
	}
	return err
}

// mergeInter is Intercomm_merge: intercommunicator, whether our side comes last, new communicator.
func mergeInter(c call) error {
	cm, err := c.comm(0)
	if err != nil {
		return err
	}
	if cm.inter == nil {
		return bad(spec.ERR_COMM, "the communicator is no intercommunicator")
	}
	if err := c.outs(2); err != nil {
		return err
	}
	high := []byte{0}
	if c.int(1) != 0 {
		high[0] = 1
	}
	all := make([]byte, cm.c.Size())
	if err := cm.c.Run(&comm.Call{Op: coll.Allgather, Bytes: 1, Elem: 1, In: high, Out: all}); err != nil {
		return err
	}
	group, in := cm.c.Group(), cm.inter
	theirs := all[group.Rank(in.remote.Process(0))]
	last := high[0] > theirs
	if high[0] == theirs { // as it was made
		last = group.Rank(in.local.Process(0)) > group.Rank(in.remote.Process(0))
	}
	key := in.local.Rank(cm.c.Env().Self)
	if last {
		key += in.remote.Size()
	}
	d, err := cm.c.Split(0, key)
	if err != nil {
		return err
	}
	_, err = c.found(2, cm, d)
	return err
}

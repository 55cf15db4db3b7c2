package abi

import (
	"slices"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/topo"
)

// communicator is a communicator as C sees it.
type communicator struct {
	handle     uintptr
	c          *comm.Comm
	name       string
	errors     errhandler
	attributes attributes
	info       *info
	buffer     sendBuffer
	grid       *topo.Grid
	graph      *graph
	neighbors  *neighborhood
	fixed      bool // MPI_COMM_WORLD and MPI_COMM_SELF
	use        use
}

// inter tells whether it is an intercommunicator.
func (cm *communicator) inter() bool { return cm.c.Remote() != nil }

// peers is how many ranks messages go to.
func (cm *communicator) peers() int {
	if g := cm.c.Remote(); g != nil {
		return g.Size()
	}
	return cm.c.Size()
}

// comm is argument i, a communicator.
func (c call) comm(i int) (*communicator, error) { return c.p.commOf(c.word(i)) }

// commOf finds a communicator.
func (p *Proc) commOf(h uintptr) (*communicator, error) {
	switch h {
	case spec.COMM_WORLD:
		if p.world != nil {
			return p.world, nil
		}
	case spec.COMM_SELF:
		if p.self != nil {
			return p.self, nil
		}
	case spec.COMM_NULL:
		return nil, bad(spec.ERR_COMM, "the communicator is MPI_COMM_NULL")
	}
	if cm := p.comms.get(h); cm != nil && cm.c != nil { // nil: of MPI_Comm_idup, which is not over
		return cm, nil
	}
	return nil, bad(spec.ERR_COMM, "0x%x is no communicator, or it has been freed", h)
}

// chapterComms makes communicators and tells about them.
var chapterComms = map[string]row{
	"Comm_rank": {do: commRank}, "Comm_size": {do: commSize}, "Comm_compare": {do: compareComms}, "Comm_dup": {do: dupComm}, "Comm_dup_with_info": {do: dupComm},
	"Comm_idup": {do: dupComm}, "Comm_idup_with_info": {do: dupComm},
	"Comm_create": {do: createComm}, "Comm_split": {do: splitComm}, "Comm_split_type": {do: splitType}, "Comm_free": {do: freeComm}, "Comm_disconnect": {do: freeComm},
	"Comm_test_inter": {do: testInter}, "Comm_remote_size": {do: remoteSize}, "Comm_remote_group": {do: remoteSize}, "Comm_group": {do: commGroup},
}

func commRank(c call) error {
	cm, err := c.comm(0)
	if err != nil {
		return err
	}
	if err := c.outs(1); err != nil {
		return err
	}
	c.setInt(1, cm.c.Rank())
	return nil
}

func commSize(c call) error {
	cm, err := c.comm(0)
	if err != nil {
		return err
	}
	if err := c.outs(1); err != nil {
		return err
	}
	c.setInt(1, cm.c.Size())
	return nil
}

// relations are what groups and communicators have in common, as the interface calls it.
var relations = map[comm.Relation]int{
	comm.Identical: spec.IDENT, comm.Congruent: spec.CONGRUENT, comm.Similar: spec.SIMILAR, comm.Unequal: spec.UNEQUAL,
}

func compareComms(c call) error {
	a, err := c.comm(0)
	if err != nil {
		return err
	}
	b, err := c.comm(1)
	if err != nil {
		return err
	}
	if err := c.outs(2); err != nil {
		return err
	}
	result := spec.IDENT
	if a != b {
		result = relations[a.c.Compare(b.c)]
	}
	c.setInt(2, result)
	return nil
}

// found gives a new communicator its handle, and returns that by argument i; nil is MPI_COMM_NULL. It
// inherits its parent's error handler.
func (c call) found(i int, parent *communicator, d *comm.Comm) (*communicator, error) {
	if d == nil {
		c.setHandle(i, spec.COMM_NULL)
		return nil, nil
	}
	cm := &communicator{c: d, errors: parent.errors, info: newInfo()}
	var err error
	if cm.handle, err = c.p.comms.add(cm); err != nil {
		return nil, err
	}
	c.setHandle(i, cm.handle)
	return cm, nil
}

// dupComm is Comm_dup, Comm_dup_with_info, Comm_idup and Comm_idup_with_info.
func dupComm(c call) error {
	cm, err := c.comm(0)
	if err != nil {
		return err
	}
	at, hints := 1, cm.info
	if c.f.Args[1].Name == "info" {
		at = 2
		if hints, err = c.optionalInfo(1); err != nil {
			return err
		}
	}
	if err := c.outs(at, c.last(1)); err != nil {
		return err
	}
	n := &communicator{errors: cm.errors, info: hints.clone(), grid: cm.grid, graph: cm.graph, neighbors: cm.neighbors}
	if c.f.Args[c.last(1)].Kind == "request*" {
		return c.startDup(at, cm, n)
	}
	if n.c, err = cm.c.Dup(); err != nil {
		return err
	}
	return c.copyOf(at, cm, n)
}

// copyOf gives a copy of a communicator its handle and its attributes.
func (c call) copyOf(at int, cm, n *communicator) (err error) {
	if n.handle, err = c.p.comms.add(n); err != nil {
		return err
	}
	if err := c.p.copyAttributes(commKind, cm.handle, &cm.attributes, &n.attributes); err != nil {
		c.p.comms.remove(n.handle)
		c.setHandle(at, spec.COMM_NULL)
		return err
	}
	c.setHandle(at, n.handle)
	return nil
}

// startDup has a request end with the copy, which is none before.
func (c call) startDup(at int, cm, n *communicator) error {
	p, err := cm.c.Idup()
	if err != nil {
		return err
	}
	if err := c.copyOf(at, cm, n); err != nil {
		return err
	}
	return c.newRequest(c.last(1), &request{r: p.Told(), on: cm, end: func(st comm.Status, err error) (comm.Status, error) {
		if err == nil {
			n.c, err = p.Made()
		}
		return st, err
	}})
}

// createComm is Comm_create: communicator, group, new communicator.
func createComm(c call) error {
	cm, err := c.comm(0)
	if err != nil {
		return err
	}
	g, err := c.group(1)
	if err != nil {
		return err
	}
	if err := c.outs(2); err != nil {
		return err
	}
	var d *comm.Comm
	if cm.inter() { // of each group those that it names
		color, key := spec.UNDEFINED, g.g.Rank(cm.c.Env().Self)
		if key >= 0 {
			color = 0
		}
		d, err = cm.c.Split(color, key)
	} else {
		d, err = cm.c.Create(g.g)
	}
	if err != nil {
		return err
	}
	_, err = c.found(2, cm, d)
	return err
}

// splitComm is Comm_split: communicator, color, key, new communicator.
func splitComm(c call) error {
	cm, err := c.comm(0)
	if err != nil {
		return err
	}
	color, key := c.int(1), c.int(2)
	if color < 0 && color != spec.UNDEFINED {
		return bad(spec.ERR_ARG, "color %d; it must be 0 or more, or MPI_UNDEFINED", color)
	}
	if err := c.outs(3); err != nil {
		return err
	}
	d, err := cm.c.Split(color, key)
	if err != nil {
		return err
	}
	_, err = c.found(3, cm, d)
	return err
}

// numaWords are what programs call a NUMA node as a type of resource.
var numaWords = []string{"hwloc://NUMANode", "NUMANode", "numanode", "numa"}

// splitType is Comm_split_type: communicator, type, key, info, new communicator. Ranks of one host share
// memory, and bound ones a NUMA node; what other parts of a host they share nobody knows here, so the
// other types find nothing to split by.
func splitType(c call) error {
	cm, err := c.intracomm(0)
	if err != nil {
		return err
	}
	hints, err := c.optionalInfo(3)
	if err != nil {
		return err
	}
	if err := c.outs(4); err != nil {
		return err
	}
	color, key := spec.UNDEFINED, c.int(2)
	resource, _ := hints.get("mpi_hw_resource_type")
	switch kind := c.int(1); {
	case kind == spec.COMM_TYPE_SHARED, (kind == spec.COMM_TYPE_HW_GUIDED || kind == spec.COMM_TYPE_RESOURCE_GUIDED) && resource == "mpi_shared_memory":
		color = cm.c.SharedColor()
	case (kind == spec.COMM_TYPE_HW_GUIDED || kind == spec.COMM_TYPE_RESOURCE_GUIDED) && slices.Contains(numaWords, resource):
		color = cm.c.MemoryColor()
	case kind == spec.COMM_TYPE_HW_UNGUIDED, kind == spec.COMM_TYPE_HW_GUIDED, kind == spec.COMM_TYPE_RESOURCE_GUIDED, kind == spec.UNDEFINED:
	default:
		return bad(spec.ERR_ARG, "split_type %d", kind)
	}
	d, err := cm.c.Split(color, key)
	if err != nil {
		return err
	}
	_, err = c.found(4, cm, d)
	return err
}

func freeComm(c call) error {
	h, err := c.handleAt(0)
	if err != nil {
		return err
	}
	cm, err := c.p.commOf(h)
	if err != nil {
		return err
	}
	if cm.fixed {
		return bad(spec.ERR_COMM, "%s cannot be freed", cm.name)
	}
	if err := c.p.deleteAttributes(commKind, cm.handle, &cm.attributes); err != nil {
		return err
	}
	if err := cm.buffer.flush(); err != nil {
		return err
	}
	c.p.withhold(cm)
	c.p.comms.remove(h)
	c.setHandle(0, spec.COMM_NULL)
	return c.p.leave(cm, c.f.Name == "Comm_disconnect")
}

func testInter(c call) error {
	cm, err := c.comm(0)
	if err != nil {
		return err
	}
	if err := c.outs(1); err != nil {
		return err
	}
	c.setFlag(1, cm.inter())
	return nil
}

// remoteSize is Comm_remote_size and Comm_remote_group.
func remoteSize(c call) error {
	cm, err := c.comm(0)
	if err != nil {
		return err
	}
	if err := c.outs(1); err != nil {
		return err
	}
	switch {
	case !cm.inter():
		return bad(spec.ERR_COMM, "the communicator is no intercommunicator")
	case c.f.Name == "Comm_remote_size":
		c.setInt(1, cm.c.Remote().Size())
		return nil
	}
	return c.newGroup(1, cm.c.Remote())
}

func commGroup(c call) error {
	cm, err := c.comm(0)
	if err != nil {
		return err
	}
	if err := c.outs(1); err != nil {
		return err
	}
	return c.newGroup(1, cm.c.Group())
}

package sim

import (
	"fmt"
	"net/netip"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/verbs"
)

// Cluster says what to simulate.
type Cluster struct {
	Nodes   int
	Profile *Profile
	Rails   int    // interfaces of a node; 0: as the profile says
	Cores   int    // of a node; 0: as the profile says
	Each    []Node // the first nodes, if they are not all alike

	// Asks is how many bytes come in the first segment of a longer Send, where programs borrow messages and
	// are told of the beginning of long ones, as they are by sockets: verbs.Caps has Borrow and Place. 0:
	// it has not.
	Asks int

	// Inline is how many bytes an inline send has at most, if that is more than the profile says, as it is
	// where devices are made of software.
	Inline int

	// Seed is that of faults that are a matter of chance.
	Seed uint64
}

// maxNodes is how many nodes have an address.
const maxNodes = 1<<16 - 2

// Fabric is a simulated cluster.
type Fabric struct {
	s       *clock.Scheduler
	cluster Cluster
	cost    *costs
	caps    verbs.Caps
	nodes   []*node

	bound     map[netip.AddrPort]*qp // datagram queue pairs in RTS, by address
	listeners map[netip.AddrPort]*listener
	groups    map[netip.AddrPort][]*qp // members of multicast groups, in the order of joining
	number    uint32
	faults    faults
	spare     pools
	watch     func(Delivery)
}

// Delivery is a message whose last byte has come to an interface, or the answer to a Read.
type Delivery struct {
	From, To int // nodes
	Bytes    int // on the wire
	At       int64
}

// Watch has f told of every delivery from now on, for drawings. It must not change anything.
func (f *Fabric) Watch(see func(Delivery)) { f.watch = see }

// New makes a cluster in s's time.
func New(s *clock.Scheduler, c Cluster) (*Fabric, error) {
	if c.Profile == nil {
		return nil, fmt.Errorf("sim: %w: a cluster needs a profile; LoadProfile gives one", ErrProfile)
	}
	if err := c.Profile.Check(); err != nil {
		return nil, err
	}
	c.fill()
	if err := c.check(); err != nil {
		return nil, err
	}
	f := &Fabric{s: s, cluster: c, cost: c.Profile.costs(), caps: c.caps(), bound: map[netip.AddrPort]*qp{}, listeners: map[netip.AddrPort]*listener{},
		groups: map[netip.AddrPort][]*qp{}}
	f.faults.init(c.Seed)
	for i := range c.Nodes {
		f.nodes = append(f.nodes, newNode(f, i))
	}
	return f, nil
}

// Cluster is what is simulated, with the profile's numbers filled in.
func (f *Fabric) Cluster() Cluster { return f.cluster }

// HasShared tells whether ranks of a node talk over shared memory rather than through the interface.
func (f *Fabric) HasShared() bool { return f.cluster.Profile.get("shared") == 1 }

func (f *Fabric) node(i int) (*node, error) {
	if i < 0 || i >= len(f.nodes) {
		return nil, fmt.Errorf("sim: node %d of a cluster of %d", i, len(f.nodes))
	}
	return f.nodes[i], nil
}

// next gives out numbers of objects.
func (f *Fabric) next() uint32 {
	f.number++
	return f.number
}

// addressOf is where a rail of a node is reached.
func addressOf(rail, node int) netip.Addr {
	return netip.AddrFrom4([4]byte{10, byte(rail), byte((node + 1) >> 8), byte(node + 1)})
}

// Prefix is the network of a rail.
func Prefix(rail int) netip.Prefix {
	return netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(rail), 0, 0}), 16)
}

// portAt finds the interface that has an address.
func (f *Fabric) portAt(a netip.Addr) *port {
	if !a.Is4() {
		return nil
	}
	b := a.As4()
	n := int(b[2])<<8 + int(b[3]) - 1
	if b[0] != 10 || n < 0 || n >= len(f.nodes) || int(b[1]) >= len(f.nodes[n].ports) {
		return nil
	}
	return f.nodes[n].ports[b[1]]
}

// server is something that serves in order, one at a time.
type server struct{ free int64 }

// pass has something served for d nanoseconds that begins to arrive at start and has arrived at end. What
// comes out begins as soon as the service does: nothing is stored first. It ends when the service does, but
// not before it has arrived.
func (s *server) pass(start, end, d int64) (int64, int64) {
	start = max(start, s.free)
	s.free = start + d
	return start, max(end, s.free)
}

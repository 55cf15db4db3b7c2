package kernel_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/tune"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel"
	"github.com/weft-mpi/weft/internal/verbs/kernel/fake"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ibv"
)

// chosen is what settings mean.
func chosen(t *testing.T, environ ...string) (c kernel.Choice, err error) {
	t.Helper()
	c = kernel.DefaultChoice()
	_, _, err = tune.Read([]tune.Group{c.Settings()}, environ)
	return c, err
}

// TestChoice: what settings take, and what they refuse.
func TestChoice(t *testing.T) {
	c, err := chosen(t, "WEFT_RDMA_GID=3", "WEFT_RDMA_SL=5", "WEFT_RDMA_TCLASS=104", "WEFT_RDMA_PKEY=0x8001", "WEFT_LAB_RDMA_LIBRARY=on")
	if want := (kernel.Choice{GID: 3, ServiceLevel: 5, TrafficClass: 104, PKey: 0x8001, Library: true}); err != nil || c != want {
		t.Errorf("read %+v, %v", c, err)
	}
	if c, err := chosen(t, "WEFT_RDMA_GID=auto", "WEFT_RDMA_PKEY=auto"); err != nil || c != kernel.DefaultChoice() {
		t.Errorf("read %+v, %v", c, err)
	}
	for _, bad := range []string{"WEFT_RDMA_GID=-1", "WEFT_RDMA_GID=256", "WEFT_RDMA_SL=16", "WEFT_RDMA_TCLASS=256", "WEFT_RDMA_PKEY=0", "WEFT_RDMA_PKEY=0x8000",
		"WEFT_RDMA_PKEY=0x10001", "WEFT_RDMA_PKEY=red", "WEFT_LAB_RDMA_LIBRARY=maybe"} {
		if _, err := chosen(t, bad); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// TestChoiceOfPorts: what is chosen is found in the tables of a port, or it is said what is missing.
func TestChoiceOfPorts(t *testing.T) {
	host := netip.MustParseAddr("192.0.2.1")
	cluster, guest := devices(t, "cluster.txt"), devices(t, "guest.txt")
	ib, roce, siw := cluster[0], cluster[1], guest[1]
	set := func(f func(*kernel.Choice)) kernel.Choice {
		c := kernel.DefaultChoice()
		f(&c)
		return c
	}
	ports, err := kernel.Ports(ib, set(func(c *kernel.Choice) { c.PKey, c.ServiceLevel = 1, 7 }), nil, host)
	if err != nil || ports[0].PKeyIndex != 2 || ports[0].ServiceLevel != 7 {
		t.Errorf("partition 1: %+v, %v", ports, err)
	}
	ports, err = kernel.Ports(roce, set(func(c *kernel.Choice) { c.GID, c.TrafficClass = 4, 104 }), nil, host)
	if err != nil || ports[0].GIDIndex != 4 || ports[0].Addr.String() != "2001:db8::5" || ports[0].TrafficClass != 104 {
		t.Errorf("GID 4: %+v, %v", ports, err)
	}
	for want, err := range map[string]error{
		"has no GID 9":             second(kernel.Ports(roce, set(func(c *kernel.Choice) { c.GID = 9 }), nil, host)),
		"is not of RoCE v2":        second(kernel.Ports(roce, set(func(c *kernel.Choice) { c.GID = 2 }), nil, host)),
		"it has 0xffff, 0x8001":    second(kernel.Ports(ib, set(func(c *kernel.Choice) { c.PKey = 5 }), nil, host)),
		"it has none":              second(kernel.Ports(roce, set(func(c *kernel.Choice) { c.PKey = 5 }), nil, host)),
		"iWARP has no GIDs":        second(kernel.Ports(siw, set(func(c *kernel.Choice) { c.TrafficClass = 5 }), nil, host)),
		"no address that may be u": second(kernel.Ports(siw, set(func(c *kernel.Choice) { c.Library = true }), nil, host)), // its interface is not here
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("said %v, want %q", err, want)
		}
	}
}

func second(_ []kernel.Port, err error) error { return err }

// spy is a driver that notes what it is told of the way to peers.
type spy struct {
	ibv.Context
	seen *[]ibv.AHAttr
	keys *[]uint16
}

type spyPD struct {
	ibv.PD
	spy
}

type spyQP struct {
	ibv.QP
	spy
}

func (s spy) NewPD() (ibv.PD, error) {
	pd, err := s.Context.NewPD()
	return spyPD{pd, s}, err
}

func (p spyPD) NewQP(init *ibv.QPInit, send, recv ibv.CQ, shared ibv.SRQ) (ibv.QP, error) {
	q, err := p.PD.NewQP(init, send, recv, shared)
	if err != nil {
		return nil, err
	}
	return spyQP{q, p.spy}, nil
}

func (p spyPD) NewAH(attr *ibv.AHAttr) (ibv.AH, error) {
	*p.seen = append(*p.seen, *attr)
	return p.PD.NewAH(attr)
}

func (q spyQP) Modify(attr *ibv.QPAttr, mask uint32) error {
	if mask&ibv.MaskPKeyIndex != 0 {
		*q.keys = append(*q.keys, attr.PKeyIndex)
	}
	if mask&ibv.MaskAH != 0 {
		*q.seen = append(*q.seen, attr.AH)
	}
	return q.QP.Modify(attr, mask)
}

// TestChoiceReachesTheDriver: connections and datagrams alike go by what was chosen.
func TestChoiceReachesTheDriver(t *testing.T) {
	f, seen, keys := fake.New(fake.Habits{}), new([]ibv.AHAttr), new([]uint16)
	port := home
	port.GIDIndex, port.ServiceLevel, port.TrafficClass, port.PKeyIndex = 3, 5, 104, 2
	a := newParty(t, f, kernel.Config{Context: spy{f.Open(home.GID), seen, keys}, Ports: []kernel.Port{port}})
	b := newParty(t, f, kernel.Config{})
	u := a.qp(verbs.UD)
	ah, err := a.pd.NewAH(u.Addr())
	if err != nil {
		t.Fatal(err)
	}
	if err := ah.Close(); err != nil { // waits until the driver has made it
		t.Fatal(err)
	}
	q := a.qp(verbs.RC)
	if err := q.Connect(b.listen(), nil); err != nil {
		t.Fatal(err)
	}
	request := b.event(verbs.ConnectRequest).Request
	if err := request.Accept(b.qp(verbs.RC), nil); err != nil {
		t.Fatal(err)
	}
	a.event(verbs.Established)
	if len(*seen) != 2 || len(*keys) != 2 {
		t.Fatalf("the driver was told %+v and %v", *seen, *keys)
	}
	for i, way := range *seen {
		if way.SL != 5 || way.TrafficClass != 104 || way.SGIDIndex != 3 || (*keys)[i] != 2 {
			t.Errorf("the driver was told %+v of partition %d", way, (*keys)[i])
		}
	}
}

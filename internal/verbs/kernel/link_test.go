package kernel_test

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/auth"
	"github.com/weft-mpi/weft/internal/verbs/kernel"
	"github.com/weft-mpi/weft/internal/verbs/kernel/fake"
	"github.com/weft-mpi/weft/internal/verbs/kernel/sysfs"
)

// party is a device of a test with what it takes to connect and to send.
type party struct {
	t   *testing.T
	dev *kernel.Device
	pd  verbs.PD
	cq  verbs.CQ
}

func newParty(t *testing.T, f *fake.Fabric, cfg kernel.Config) *party {
	t.Helper()
	if cfg.Context == nil {
		cfg.Context = f.Open(home.GID)
	}
	if cfg.Ports == nil {
		cfg.Ports = []kernel.Port{home}
	}
	d, err := kernel.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	pd, err := d.NewPD()
	if err != nil {
		t.Fatal(err)
	}
	cq, err := d.NewCQ(verbs.CQConfig{Depth: 64})
	if err != nil {
		t.Fatal(err)
	}
	return &party{t, d, pd, cq}
}

// qp makes a queue pair in Init, of type UD in RTS.
func (p *party) qp(typ verbs.Type) verbs.QP {
	p.t.Helper()
	q, err := p.pd.NewQP(verbs.QPConfig{Type: typ, SendCQ: p.cq, RecvCQ: p.cq, SendDepth: 8, RecvDepth: 8})
	if err == nil {
		err = q.Modify(verbs.Init)
	}
	if err == nil && typ == verbs.UD {
		err = q.Modify(verbs.RTS)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return q
}

func (p *party) listen() netip.AddrPort {
	p.t.Helper()
	l, err := p.dev.Listen(verbs.ListenConfig{})
	if err != nil {
		p.t.Fatal(err)
	}
	return l.Addr()
}

// event waits for an event, which must be of a kind.
func (p *party) event(kind verbs.EventKind) verbs.Event {
	p.t.Helper()
	var out [1]verbs.Event
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Microsecond) {
		if p.dev.PollEvents(out[:]) == 1 {
			if out[0].Kind != kind {
				p.t.Fatalf("event %+v, want %v", out[0], kind)
			}
			return out[0]
		}
	}
	p.t.Fatalf("no event %v", kind)
	return verbs.Event{}
}

// count is a counter of the device.
func (p *party) count(name string) uint64 {
	for n, v := range p.dev.Counters() {
		if n == name {
			return v
		}
	}
	p.t.Fatalf("no counter %s", name)
	return 0
}

// until waits until something holds.
func (p *party) until(what string, ok func() bool) {
	p.t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(50 * time.Microsecond) {
		if time.Now().After(end) {
			p.t.Fatalf("waited for %s", what)
		}
	}
}

var jobKey = []byte("a key that the processes of a job share")

// TestStrangers: who does not know the key is not heard, and changes nothing but a counter.
func TestStrangers(t *testing.T) {
	p := newParty(t, fake.New(fake.Habits{}), kernel.Config{Key: jobKey})
	to := p.listen()
	place := make([]byte, 29)
	place[26] = 3
	n := auth.Nonce{1, 2, 3}
	frame := func(kind byte, body []byte) []byte {
		return append([]byte{byte((1 + len(body)) >> 8), byte(1 + len(body)), kind}, body...)
	}
	good := frame(1, auth.Dress(n, auth.Request(jobKey, n, to, place), place))
	rows := []struct {
		name  string
		bytes []byte
	}{
		{"noise", []byte("GET / HTTP/1.1\r\n\r\n")},
		{"no proof", frame(1, place)},
		{"a proof of zeros", frame(1, auth.Dress(n, [auth.ProofSize]byte{}, place))},
		{"another key", frame(1, auth.Dress(n, auth.Request([]byte("other"), n, to, place), place))},
		{"a request to another listener", frame(1, auth.Dress(n, auth.Request(jobKey, n, netip.AddrPortFrom(to.Addr(), 1), place), place))},
		{"an end before a beginning", frame(6, nil)},
		{"no place", frame(1, auth.Dress(auth.Nonce{4}, auth.Request(jobKey, auth.Nonce{4}, to, nil), nil))},
		{"a request", good}, // heard, so that the next one is known
		{"the same request again", good},
	}
	for i, row := range rows {
		before := p.count("strangers")
		conn, err := net.Dial("tcp", to.String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write(row.bytes); err != nil {
			t.Fatal(err)
		}
		if row.name == "a request" {
			p.event(verbs.ConnectRequest)
			conn.Close()
			continue
		}
		conn.SetDeadline(time.Now().Add(20 * time.Second))
		if got, err := io.ReadAll(conn); len(got) > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: heard %x, %v", row.name, got, err)
		}
		conn.Close()
		p.until("the count of strangers", func() bool { return p.count("strangers") == before+1 })
		if i == len(rows)-1 {
			var out [1]verbs.Event
			if p.dev.PollEvents(out[:]) != 0 {
				t.Errorf("event %+v", out[0])
			}
		}
	}
}

// TestUnproven: connections that say nothing do not pile up.
func TestUnproven(t *testing.T) {
	p := newParty(t, fake.New(fake.Habits{}), kernel.Config{Key: jobKey, UnprovenConns: 3})
	to := p.listen()
	first, err := net.Dial("tcp", to.String())
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	for range 3 {
		conn, err := net.Dial("tcp", to.String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	first.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := first.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the oldest connection is still there: %v", err)
	}
}

// TestNoDescriptors: a host without descriptors refuses connections for a while, and takes them when it has some again.
func TestNoDescriptors(t *testing.T) {
	p := newParty(t, fake.New(fake.Habits{}), kernel.Config{})
	to := p.listen()
	conn, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(conn)
	var was unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &was); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 0, Max: was.Max}); err != nil {
		t.Fatal(err)
	}
	err = unix.Connect(conn, &unix.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()})
	if err == nil {
		p.until("a refusal", func() bool { return p.count("conns_refused") > 0 })
	}
	if err := errors.Join(err, unix.Setrlimit(unix.RLIMIT_NOFILE, &was)); err != nil {
		t.Fatal(err)
	}
	if _, err := unix.Write(conn, []byte("noise")); err != nil {
		t.Fatal(err)
	}
	p.until("the connection", func() bool { return p.count("strangers") == 1 })
}

// TestWrongKeys: neither side of a connection believes the other.
func TestWrongKeys(t *testing.T) {
	f := fake.New(fake.Habits{})
	a, b := newParty(t, f, kernel.Config{Key: jobKey}), newParty(t, f, kernel.Config{Key: []byte("another")})
	if err := a.qp(verbs.RC).Connect(b.listen(), nil); err != nil {
		t.Fatal(err)
	}
	if e := a.event(verbs.ConnectFailed); e.Err == nil {
		t.Error("ConnectFailed does not say why")
	}
	b.until("the count of strangers", func() bool { return b.count("strangers") == 1 })
}

// TestConnectTimes: a peer that says nothing, and a program that does not answer, end an attempt to connect.
func TestConnectTimes(t *testing.T) {
	f := fake.New(fake.Habits{})
	hasty, patient := newParty(t, f, kernel.Config{ConnectWait: 300e6}), newParty(t, f, kernel.Config{ConnectWait: 100e9})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := hasty.qp(verbs.RC).Connect(netip.MustParseAddrPort(l.Addr().String()), nil); err != nil {
		t.Fatal(err)
	}
	if e := hasty.event(verbs.ConnectFailed); e.Err == nil || !strings.Contains(e.Err.Error(), "in time") {
		t.Errorf("ConnectFailed says %v", e.Err)
	}
	if err := patient.qp(verbs.RC).Connect(hasty.listen(), nil); err != nil {
		t.Fatal(err)
	}
	hasty.event(verbs.ConnectRequest)
	patient.event(verbs.Rejected)
}

// TestNobodyThere: a datagram to an address that nobody answers for ends as Unreachable, and those behind it are sent.
func TestNobodyThere(t *testing.T) {
	p := newParty(t, fake.New(fake.Habits{}), kernel.Config{})
	q := p.qp(verbs.UD)
	gone, err := p.pd.NewAH(netip.AddrPortFrom(netip.AddrFrom16(fake.Nowhere).Unmap(), 4791))
	if err != nil {
		t.Fatal(err)
	}
	here, err := p.pd.NewAH(q.Addr())
	if err != nil {
		t.Fatal(err)
	}
	wrs := []verbs.SendWR{{ID: 1, Op: verbs.Send, AH: gone, DestQP: q.Num()}, {ID: 2, Op: verbs.Send, Flags: verbs.Signaled, AH: here, DestQP: q.Num()}}
	if n, err := q.PostSend(wrs); n != 2 || err != nil {
		t.Fatalf("took %d, %v", n, err)
	}
	for _, want := range []verbs.Completion{{ID: 1, Status: verbs.Unreachable}, {ID: 2}} {
		if c := p.completion(); c.ID != want.ID || c.Status != want.Status {
			t.Errorf("send %d ended as %v, want %d %v", c.ID, c.Status, want.ID, want.Status)
		}
	}
}

// completion waits for one.
func (p *party) completion() verbs.Completion {
	p.t.Helper()
	var out [1]verbs.Completion
	p.until("a completion", func() bool { return p.cq.Poll(out[:]) == 1 })
	return out[0]
}

// TestClosedBehindItsBack: a region may be closed while a send waits for its address handle, and while a
// receive waits for the first queue pair of its queue.
func TestClosedBehindItsBack(t *testing.T) {
	f := fake.New(fake.Habits{})
	p := newParty(t, f, kernel.Config{})
	register := func() verbs.MR {
		mr, err := p.pd.Register(make([]byte, 8), verbs.LocalWrite)
		if err != nil {
			t.Fatal(err)
		}
		return mr
	}
	list := func(mr verbs.MR) []verbs.SGE { return []verbs.SGE{{Buf: mr.Bytes(), LKey: mr.LKey()}} }

	q, mr := p.qp(verbs.UD), register()
	far, err := p.pd.NewAH(netip.AddrPortFrom(netip.AddrFrom16(fake.Slow).Unmap(), 4791))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := q.PostSend([]verbs.SendWR{{ID: 1, Op: verbs.Send, SGL: list(mr), AH: far, DestQP: 1}, {ID: 2, Op: verbs.Send, Flags: verbs.Signaled, AH: far, DestQP: 1}}); err != nil {
		t.Fatal(err)
	}
	if err := mr.Close(); err != nil {
		t.Fatal(err)
	}
	close(f.Found)
	for id, want := range []verbs.Status{1: verbs.LocalProtection, 2: verbs.OK} {
		if id > 0 {
			if c := p.completion(); c.ID != uint64(id) || c.Status != want {
				t.Errorf("send %d ended as %v, want %d %v", c.ID, c.Status, id, want)
			}
		}
	}

	srq, err := p.pd.NewSRQ(verbs.SRQConfig{Depth: 4})
	if err != nil {
		t.Fatal(err)
	}
	mr = register()
	if _, err := srq.PostRecv([]verbs.RecvWR{{ID: 3, SGL: list(mr)}}); err != nil {
		t.Fatal(err)
	}
	if err := mr.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := p.pd.NewQP(verbs.QPConfig{Type: verbs.RC, SendCQ: p.cq, RecvCQ: p.cq, SRQ: srq, SendDepth: 1})
	if err == nil {
		err = r.Modify(verbs.Init)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := p.qp(verbs.RC)
	if err := s.Connect(p.listen(), nil); err != nil {
		t.Fatal(err)
	}
	if err := p.event(verbs.ConnectRequest).Request.Accept(r, nil); err != nil {
		t.Fatal(err)
	}
	p.event(verbs.Established)
	p.event(verbs.Established)
	if _, err := s.PostSend([]verbs.SendWR{{ID: 4, Op: verbs.Send}}); err != nil {
		t.Fatal(err)
	}
	ended := map[uint64]verbs.Status{}
	for range 2 {
		c := p.completion()
		ended[c.ID] = c.Status
	}
	if ended[3] != verbs.LocalProtection || ended[4] != verbs.RemoteInvalid {
		t.Errorf("the receive ended as %v, the send as %v", ended[3], ended[4])
	}
}

// devices are those of a tree of package sysfs.
func devices(t *testing.T, name string) []sysfs.Device {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("sysfs", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for l := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(l, " = "); ok {
			files[sysfs.Root+"/"+name] = &fstest.MapFile{Data: []byte(value)}
		}
	}
	all, err := sysfs.Devices(files)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestPorts: which ports of a device are rails, and why none is.
func TestPorts(t *testing.T) {
	host := netip.MustParseAddr("192.0.2.1")
	guest, cluster := devices(t, "guest.txt"), devices(t, "cluster.txt")
	if ports, err := kernel.Ports(guest[0], kernel.DefaultChoice(), nil, host); err != nil || len(ports) != 1 || ports[0].Addr.String() != "10.0.2.15" || ports[0].GIDIndex != 1 || ports[0].Name != "rxe0" {
		t.Errorf("rxe has %+v, %v", ports, err)
	}
	if ports, err := kernel.Ports(cluster[0], kernel.DefaultChoice(), nil, host); err != nil || len(ports) != 1 || ports[0].Addr != host || ports[0].LID != 0x2a || ports[0].Global || ports[0].Name != "mlx5_0:1" {
		t.Errorf("InfiniBand has %+v, %v", ports, err)
	}
	if _, err := kernel.Ports(guest[1], kernel.DefaultChoice(), nil, host); err == nil || !strings.Contains(err.Error(), "no address") {
		t.Errorf("iWARP without its interface: %v", err)
	}
	if _, err := kernel.Ports(cluster[1], kernel.DefaultChoice(), func(netip.Addr) bool { return false }, host); err == nil || !strings.Contains(err.Error(), "no address") {
		t.Errorf("no address: %v", err)
	}
	down := cluster[0]
	down.Ports = down.Ports[1:]
	if _, err := kernel.Ports(down, kernel.DefaultChoice(), nil, host); err == nil || !strings.Contains(err.Error(), "port 2 is DOWN") {
		t.Errorf("a port without a cable: %v", err)
	}
}

// TestPortsIWARP: the first bytes of an iWARP port's GID are the hardware address of its network interface.
func TestPortsIWARP(t *testing.T) {
	all, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, iface := range all {
		if len(iface.HardwareAddr) != 6 {
			continue
		}
		gid := sysfs.GID{}
		copy(gid.Raw[:], iface.HardwareAddr)
		d := sysfs.Device{Name: "siw0", IWARP: true, Ports: []sysfs.Port{{Number: 1, State: "ACTIVE", Ethernet: true, GIDs: []sysfs.GID{gid}}}}
		ports, err := kernel.Ports(d, kernel.DefaultChoice(), nil, netip.Addr{})
		if err != nil {
			continue // it has no address
		}
		list, err := iface.Addrs()
		if err != nil || len(ports) != 1 || ports[0].IPMTU != iface.MTU || !slices.ContainsFunc(list, func(a net.Addr) bool {
			return netip.MustParsePrefix(a.String()).Addr() == ports[0].Addr
		}) {
			t.Errorf("%s with %v: ports %+v, %v", iface.Name, list, ports, err)
		}
		if _, err := kernel.Ports(d, kernel.DefaultChoice(), func(netip.Addr) bool { return false }, netip.Addr{}); err == nil {
			t.Errorf("%s: an address was used that is not allowed", iface.Name)
		}
	}
}

// TestGivenUp: what a queue pair of iWARP used can be closed when the peer has rejected it, and when it gave up before the peer
// answered, as soon as that has; and nothing waits when the device is closed.
func TestGivenUp(t *testing.T) {
	f := fake.New(fake.Habits{IWARP: true})
	open := func() *party { return newParty(t, f, kernel.Config{IWARP: true, Connector: f.Connector()}) }
	a, b := open(), open()
	to := b.listen()
	ask := func() (verbs.QP, verbs.ConnRequest) {
		q := a.qp(verbs.RC)
		if err := q.Connect(to, nil); err != nil {
			t.Fatal(err)
		}
		var request verbs.ConnRequest
		a.until("the request", func() bool {
			a.dev.PollEvents(nil)
			var e [1]verbs.Event
			if b.dev.PollEvents(e[:]) == 1 {
				request = e[0].Request
			}
			return request != nil
		})
		return q, request
	}
	q, request := ask()
	if err := request.Reject(nil); err != nil {
		t.Fatal(err)
	}
	a.event(verbs.Rejected)
	if err := errors.Join(q.Close(), a.cq.Close()); err != nil {
		t.Fatalf("after a rejection: %v", err)
	}
	a = open()
	q, request = ask()
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	closed := make(chan error, 1)
	go func() { closed <- a.cq.Close() }()
	if err := request.Reject(nil); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-closed:
		if err != nil {
			t.Errorf("closing the completion queue: %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the completion queue is waited for for ever")
	}
	a = open()
	q, _ = ask()
	if err := errors.Join(q.Close(), a.dev.Close()); err != nil {
		t.Errorf("closing the device: %v", err)
	}
}

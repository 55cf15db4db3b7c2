package fake

import (
	"net/netip"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/verbs/kernel/cm"
)

// manager is a connection manager made of Go: it answers as the kernel's was seen to with siw.
type manager struct {
	*Fabric
	events notices[news]
	ids    map[cm.ID]*bond
}

// news is an event that is lost if its ID is destroyed before it is taken.
type news struct {
	cm.Event
	about *bond
}

// bond is a connection, or a listener.
type bond struct {
	cm        *manager
	id        cm.ID
	uid       uint64
	near, far netip.AddrPort
	listens   bool
	listener  *bond // that took it
	peer      *bond // the other end, also before it is accepted
	qp        *queuePair
	stands    bool
	gone      bool
}

func (f *Fabric) Connector() cm.Connector {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := &manager{Fabric: f, events: newNotices[news](), ids: map[cm.ID]*bond{}}
	return cm.Connector{IDs: c, Dialer: c, Acceptor: c}
}

func (c *manager) FD() int { return c.events.fd }

func (c *manager) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, i := range c.ids {
		i.destroy()
	}
	return unix.Close(c.events.fd)
}

// tell adds an event.
func (i *bond) tell(e cm.Event) {
	if !i.gone {
		e.UID, e.ID = i.uid, i.id
		i.cm.events.add(news{e, i})
	}
}

func (c *manager) Next() (cm.Event, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		e, ok := c.events.next()
		if !ok {
			return cm.Event{}, syscall.EAGAIN
		}
		if !e.about.gone {
			return e.Event, nil
		}
	}
}

// make makes an ID.
func (c *manager) make(uid uint64) *bond {
	i := &bond{cm: c, uid: uid}
	for c.ids[i.id] != nil { // the lowest that is free, as the kernel does
		i.id++
	}
	c.ids[i.id] = i
	return i
}

func (c *manager) Create(uid uint64) (cm.ID, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.make(uid).id, nil
}

func (c *manager) Destroy(id cm.ID) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := c.ids[id]
	if i == nil {
		return syscall.ENOENT
	}
	i.destroy()
	return nil
}

// destroy ends what an ID is for.
func (i *bond) destroy() {
	if i.gone {
		return
	}
	i.gone = true
	delete(i.cm.ids, i.id)
	if i.listens {
		delete(i.cm.listeners, i.near)
		for _, k := range i.cm.ids {
			if k.listener == i && !k.stands {
				k.refuse(nil)
			}
		}
	}
	switch {
	case i.stands:
		i.cm.kill(i.qp)
	case i.listener != nil:
		i.refuse(nil)
	}
}

// refuse has the initiator know that it will not be connected.
func (i *bond) refuse(private []byte) {
	if p := i.peer; p != nil && !p.stands {
		i.peer = nil
		p.tell(cm.Event{Kind: cm.Rejected, Status: -int32(syscall.ECONNRESET), Param: cm.Param{Private: private}})
	}
}

func (c *manager) Bind(id cm.ID, a netip.AddrPort) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.Port() == 0 {
		a = netip.AddrPortFrom(a.Addr(), uint16(30000+c.num()%30000))
	}
	if c.listeners[a] != nil {
		return syscall.EADDRINUSE
	}
	c.ids[id].near = a
	return nil
}

func (c *manager) Listen(id cm.ID, _ int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := c.ids[id]
	if c.listeners[i.near] != nil {
		return syscall.EADDRINUSE
	}
	i.listens, c.listeners[i.near] = true, i
	return nil
}

func (c *manager) Addrs(id cm.ID) (near, far netip.AddrPort, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := c.ids[id]; i != nil {
		return i.near, i.far, nil
	}
	return near, far, syscall.ENOENT
}

func (c *manager) ResolveAddr(id cm.ID, to netip.AddrPort, _ uint32) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ids[id].far = to
	c.ids[id].tell(cm.Event{Kind: cm.AddrResolved})
	return nil
}

func (c *manager) ResolveRoute(id cm.ID, _ uint32) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ids[id].tell(cm.Event{Kind: cm.RouteResolved})
	return nil
}

func (c *manager) Connect(id cm.ID, p *cm.Param) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := c.ids[id]
	if i == nil {
		return syscall.ENOENT
	}
	l := c.listeners[i.far]
	if l == nil {
		return syscall.ECONNREFUSED
	}
	if i.qp = c.qps[p.QP]; i.qp == nil {
		return syscall.EINVAL
	}
	k := l.cm.make(0)
	k.near, k.far, k.listener, k.peer, i.peer = i.far, i.near, l, i, k
	l.cm.events.add(news{cm.Event{UID: l.uid, ID: k.id, Kind: cm.ConnectRequest, Param: *p}, l})
	return nil
}

func (c *manager) Accept(id cm.ID, uid uint64, p *cm.Param) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := c.ids[id]
	if i == nil || i.peer == nil || i.peer.gone || c.qps[p.QP] == nil {
		return syscall.EINVAL
	}
	a := i.peer
	if c.qps[a.qp.num] != a.qp {
		return syscall.ECONNRESET
	}
	i.uid, i.qp, i.stands, a.stands = uid, c.qps[p.QP], true, true
	c.bind(a.qp, i.qp)
	a.qp.conn, i.qp.conn = a, i
	a.tell(cm.Event{Kind: cm.Established, Param: *p})
	i.tell(cm.Event{Kind: cm.Established})
	return nil
}

func (c *manager) Reject(id cm.ID, private []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := c.ids[id]; i != nil {
		i.refuse(append([]byte(nil), private...))
	}
	return nil
}

func (c *manager) Disconnect(id cm.ID) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := c.ids[id]; i != nil && i.stands {
		c.kill(i.qp)
	}
	return nil
}

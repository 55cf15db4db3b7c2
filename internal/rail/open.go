package rail

import (
	"fmt"

	"github.com/weft-mpi/weft/internal/rail/registrar"
	"github.com/weft-mpi/weft/internal/verbs"
)

// open makes what all peers share.
func (l *Link) open() (err error) {
	d := l.cfg.Device
	if l.pd, err = d.NewPD(); err != nil {
		return err
	}
	if l.cfg.Bell == nil {
		l.cfg.Bell = l.bell.Ring
	}
	cq := verbs.CQConfig{Depth: l.cqDepth, Notify: l.cfg.Bell, Rung: l.cfg.Rung}
	if !l.cfg.NoPlace {
		cq.Borrow, cq.PlaceMin = l.caps.Borrow, placeMin
	}
	if l.cq, err = d.NewCQ(cq); err != nil {
		return err
	}
	l.bell.cq = l.cq
	l.catches = cq.Borrow && !l.traits.reliable && !l.traits.ownRecvs && !l.traits.rings // whose frames are counted
	d.NotifyEvents(func() {
		l.event.Store(true)
		l.cfg.Bell()
	})
	for i, size := range [...]int{shortFrame, min(middleFrame, l.cfg.Vbuf)} {
		l.sending[i] = l.newPool(size, l.cfg.SendBytes/4/size)
	}
	l.sending[2] = l.newPool(l.cfg.Vbuf, l.cfg.SendBytes/l.cfg.Vbuf)
	l.recvPool = l.newPool(l.cfg.Vbuf, 1<<20)
	if l.mem, err = registrar.New(registrar.Config{PD: l.pd, Clock: l.clock, Meter: l.meter, Pages: l.cfg.Pages,
		KeepKeys: l.caps.SlowRekey, Options: l.cfg.Options.Options}); err != nil {
		return err
	}
	l.lendMin = l.mem.Shortest()
	if err = l.openSRQ(); err != nil {
		return err
	}
	if l.traits.datagrams {
		if err = l.openDatagrams(); err != nil {
			return err
		}
	}
	if l.traits.connects {
		return l.openListeners()
	}
	return nil
}

func (l *Link) newPool(size, limit int) *pool {
	p := &pool{link: l, num: uint8(len(l.pools)), size: size, limit: max(limit, 8)}
	l.pools = append(l.pools, p)
	return p
}

func (l *Link) openListeners() error {
	for i := range l.cfg.Device.Rails() {
		ln, err := l.listenOn(i)
		if err != nil {
			return err
		}
		l.listen = append(l.listen, ln)
	}
	return nil
}

// listenOn opens a port on a rail, one of the permitted range.
func (l *Link) listenOn(rail int) (ln verbs.Listener, err error) {
	err = l.onPort(rail, func(port uint16) (err error) {
		ln, err = l.cfg.Device.Listen(verbs.ListenConfig{Rail: rail, Port: port})
		return err
	})
	return ln, err
}

// onPort tries the permitted ports, 0 for any, until one serves.
func (l *Link) onPort(rail int, try func(port uint16) error) (err error) {
	low, high := l.cfg.Ports[0], l.cfg.Ports[1]
	if low == 0 {
		return try(0)
	}
	for port := int(low); port <= int(high); port++ {
		if err = try(uint16(port)); err == nil {
			return nil
		}
	}
	return fmt.Errorf("rail: no port of %d-%d is free on %v: %w", low, high, l.cfg.Device.Rails()[rail].Addr, err)
}

// dgramRail is the rail by which datagrams leave.
const dgramRail = 0

func (l *Link) openDatagrams() error {
	if !l.traits.reliable {
		l.wholeMax = min(l.wholeMax, l.cfg.Device.Rails()[dgramRail].MaxDatagram)
	}
	return l.onPort(dgramRail, l.openDatagramsAt)
}

// openDatagramsAt makes the queue pair for datagrams; when the port does not serve, nothing is left of it.
func (l *Link) openDatagramsAt(port uint16) error {
	cfg := verbs.QPConfig{Type: l.traits.queue, SendCQ: l.cq, RecvCQ: l.cq, SRQ: l.ofDatagrams().srq, SendDepth: l.expressDepth, SendSGE: 2, Inline: l.inline, Port: port, Rail: dgramRail}
	qp, err := l.pd.NewQP(cfg)
	if err != nil {
		return err
	}
	if err = qp.Modify(verbs.Init); err == nil {
		err = qp.Modify(verbs.RTS)
	}
	if err != nil {
		_ = qp.Close()
		return err
	}
	l.dgramQP, l.dgramNum = qp, qp.Num()
	return nil
}

// Address is what peers have to know to reach this rank.
func (l *Link) Address() string {
	var rails []railAddress
	for i, net := range l.cfg.Prefixes {
		r := railAddress{net: net}
		if i < len(l.listen) {
			r.rc = l.listen[i].Addr().Port()
		}
		if i == dgramRail && l.dgramQP != nil {
			r.dgram, r.dgramQ = l.dgramQP.Addr().Port(), l.dgramNum
			r.most = uint32(l.cfg.Device.Rails()[i].MaxDatagram)
		}
		rails = append(rails, r)
	}
	is := nature{probe: l.mem.Probe(), keyed: l.caps.RailKeys}
	if l.caps.Place && !l.cfg.NoPlace {
		is.past = l.cfg.Vbuf
	}
	return formatAddress(rails, is)
}

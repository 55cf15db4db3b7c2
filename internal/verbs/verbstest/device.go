package verbstest

import (
	"slices"

	"github.com/weft-mpi/weft/internal/verbs"
)

// What a device says about itself, and what it keeps for its users.
var deviceCases = []scenario{
	{name: "device/describes itself", run: describesItself},
	{name: "device/limits are real", run: limitsAreReal},
	{name: "region/keys are unique", run: keysUnique},
	{name: "region/registered twice", types: reliable, run: registeredTwice},
	{name: "progress/a program that computes", types: reliable, run: awayToCompute},
}

func describesItself(r *rig) {
	d := r.hosts[0].dev
	if d.Caps() != r.caps {
		r.Error("capabilities change")
	}
	rails := d.Rails()
	if len(rails) == 0 {
		r.Fatal("a device without rails")
	}
	most := 0
	for i, rail := range rails {
		if !rail.Addr.IsValid() || rail.MTU <= 0 || rail.Rate < 0 {
			r.Errorf("rail %d: %+v", i, rail)
		}
		most = max(most, rail.MaxDatagram)
	}
	if r.caps.MaxReadSGE < 1 || r.caps.MaxReadSGE > r.caps.MaxSGE {
		r.Errorf("lists of Reads have %d entries, others %d", r.caps.MaxReadSGE, r.caps.MaxSGE)
	}
	if most != r.caps.MaxDatagram {
		r.Errorf("rails take Sends of %d bytes on UD at most, the device says %d", most, r.caps.MaxDatagram)
	}
	names := func() (list []string) {
		for name := range d.Counters() {
			list = append(list, name)
		}
		return list
	}
	first := names()
	a, _ := r.pair()
	a.hello()
	if !slices.Equal(first, names()) {
		r.Error("counters change their order")
	}
	slices.Sort(first)
	if len(slices.Compact(first)) != len(names()) {
		r.Error("two counters have one name")
	}
	for range d.Counters() {
		break // a reader may stop
	}
}

// limitsAreReal makes queue pairs that use all of what the device says it can do.
func limitsAreReal(r *rig) {
	a, b := r.pair(r.wide, func(c *verbs.QPConfig) {
		c.SendDepth, c.RecvDepth = min(r.caps.MaxDepth, 1<<12), min(r.caps.MaxDepth, 1<<12)
		c.Inline, c.Reads, c.ReadsIn = r.caps.MaxInline, r.caps.MaxReads, r.caps.MaxReads
	})
	a.hello()
	b.hello()
	full := func(c *verbs.QPConfig) { c.SendDepth, c.RecvDepth = r.caps.MaxDepth, r.caps.MaxDepth }
	if err := r.endOn(r.hosts[0], full).qp.Close(); err != nil {
		r.Errorf("closing the deepest queue pair there is: %v", err)
	}
}

func keysUnique(r *rig) {
	local, remote := map[uint32]bool{}, map[uint32]bool{}
	h := r.hosts[0]
	for i := range 1000 {
		g := h.region(r, 64, allRights)
		if local[g.mr.LKey()] || remote[g.mr.RKey()] {
			r.Fatalf("region %d has the keys %x and %x, which are in use", i, g.mr.LKey(), g.mr.RKey())
		}
		local[g.mr.LKey()], remote[g.mr.RKey()] = true, true
		if i%3 == 0 {
			old := g.mr.RKey()
			if err := g.mr.Rekey(); err != nil || remote[g.mr.RKey()] {
				r.Fatalf("region %d: Rekey from %x to %x: %v", i, old, g.mr.RKey(), err)
			}
			remote[g.mr.RKey()] = true
		}
		if i%5 == 0 {
			delete(local, g.mr.LKey())
			delete(remote, g.mr.RKey())
			g.close()
		}
	}
}

// registeredTwice: two registrations of the same memory do not know of each other.
func registeredTwice(r *rig) {
	r.need(r.hasReadWrite(), "Read")
	a, b := r.pair()
	one := b.host.region(r, 64, verbs.LocalWrite|verbs.RemoteWrite)
	fill(one.buf, 1)
	mr, err := b.host.pd.Register(one.buf, verbs.RemoteRead)
	if err != nil {
		r.Fatalf("registering memory again: %v", err)
	}
	one.close()
	back := a.host.region(r, 64, verbs.LocalWrite)
	a.post(verbs.SendWR{ID: 1, Op: verbs.Read, Flags: verbs.Signaled, SGL: back.sgl(0, 64), RemoteAddr: mr.Addr(), RKey: mr.RKey()})
	a.sent(1, verbs.Read)
	r.holds("Read through the second registration", back.buf, 1)
}

// awayToCompute: the device serves a peer although its own program makes no call at all.
func awayToCompute(r *rig) {
	r.need(r.hasReadWrite(), "Read and Write")
	if r.hosts[0] == r.hosts[1] {
		r.Skip("both ends are on one device")
	}
	a, b := r.pair()
	near := a.host.region(r, 300_000, verbs.LocalWrite)
	far := b.host.region(r, 300_000, allRights)
	fill(far.buf, 1)
	a.hello()
	var out [1]verbs.Completion
	a.post(verbs.SendWR{ID: 1, Op: verbs.Read, Flags: verbs.Signaled, SGL: near.sgl(0, 300_000), RemoteAddr: far.at(0), RKey: far.mr.RKey()})
	r.spin("a Read from a peer that computes", func() bool { return a.sends.cq.Poll(out[:]) == 1 })
	if out[0].Status != verbs.OK {
		r.Fatalf("Read: %v", out[0].Status)
	}
	r.holds("Read from a peer that computes", near.buf, 1)
}

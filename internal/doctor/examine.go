package doctor

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/weft-mpi/weft/internal/launch/hosts"
)

// Order says what to examine.
type Order struct {
	Hosts    []hosts.Host  // none stands for this host alone
	Remote   Remote        // how to reach them
	Ports    Ports         // that jobs may listen at
	Ranks    int           // on a host whose slots are not said; 0 is not known
	Patience time.Duration // for one packet's answer
}

// visit is the examination of one host.
type visit struct {
	host     hosts.Host
	remote   bool
	session  *session // nil if there is none
	facts    *Facts   // nil if unknown
	secret   Secret
	ears     []Ear
	findings []Finding
}

// Examine looks at every host and at every way between them. It ends early with ctx; what is not known then is told
// as a failure of the host.
func Examine(ctx context.Context, o Order) *Report {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // which ends every ssh that is left
	if len(o.Hosts) == 0 {
		name := Gather("").Name
		o.Hosts = []hosts.Host{{Name: name}}
	}
	visits := make([]*visit, len(o.Hosts))
	for i, h := range o.Hosts {
		visits[i] = &visit{host: h, remote: !hosts.Here(h.Name)}
	}
	each(visits, func(v *visit) { v.meet(ctx, o) })
	report := &Report{Version: o.Remote.Version}
	if len(visits) > 1 {
		each(visits, func(v *visit) { v.listen(o.Ports, visits) })
		report.Paths = walk(visits, o.Patience)
	}
	each(visits, func(v *visit) { v.leave() })
	var names []string
	facts := map[string]*Facts{}
	for _, v := range visits {
		names = append(names, v.host.Name)
		facts[v.host.Name] = v.facts
		report.Hosts = append(report.Hosts, Patient{v.host.Name, v.facts})
		report.Findings = append(report.Findings, v.findings...)
	}
	if len(visits) > 1 {
		report.Findings = append(report.Findings, judgeMTUs(names, facts)...)
		report.Findings = append(report.Findings, judgeAdapters(names, facts)...)
		report.Findings = append(report.Findings, judgeStrangers(visits, report.Paths)...)
		report.Findings = append(report.Findings, judgePaths(report.Paths, facts, o.Ports)...)
	}
	// Host by host, what concerns several at the end; within a host in the order of the checks.
	place := func(f Finding) int { return slices.Index(append(names, ""), f.Host) }
	slices.SortStableFunc(report.Findings, func(a, b Finding) int { return place(a) - place(b) })
	return report
}

// each does something for all visits at the same time.
func each(visits []*visit, do func(*visit)) {
	var all sync.WaitGroup
	for _, v := range visits {
		all.Go(func() { do(v) })
	}
	all.Wait()
}

// meet opens the session and looks at the host itself.
func (v *visit) meet(ctx context.Context, o Order) {
	var err error
	if v.remote {
		v.session, err = o.Remote.there(ctx, v.host)
	} else {
		v.session, err = here(ctx, v.host, o.Remote.Version)
	}
	if err != nil {
		v.session = nil
		v.findings = append(v.findings, judgeContact(v.host.Name, err))
		return
	}
	c, err := v.clock()
	if err != nil {
		v.lost(err)
		return
	}
	v.findings = append(v.findings, judgeMeeting(v.host.Name, v.session.hello, o.Remote.Version, v.remote, c)...)
	answer, err := v.session.ask(request{Facts: true})
	if err != nil || answer.Facts == nil {
		v.lost(err)
		return
	}
	v.facts = answer.Facts
	v.facts.Name = v.host.Name // by which the user knows it
	ranks := v.host.Slots
	if ranks == 0 {
		ranks = o.Ranks
	}
	v.findings = append(v.findings, judgeHost(v.facts, Circumstances{Ranks: ranks, Alone: len(o.Hosts) < 2})...)
}

// lost notes that the session has broken.
func (v *visit) lost(err error) {
	v.findings = append(v.findings, Finding{Fail, v.host.Name, "agent",
		fmt.Sprintf("weft's agent stopped answering: %v", err), "see that the host is up, then try again"})
	v.leave()
}

func (v *visit) leave() {
	if v.session != nil {
		v.session.end()
	}
	v.session = nil
}

// clock compares the host's clock with ours, several times, and believes the surest answer.
func (v *visit) clock() (clock, error) {
	var all []clock
	for range 5 {
		before := time.Now()
		answer, err := v.session.ask(request{Time: true})
		if err != nil {
			return clock{}, err
		}
		half := time.Since(before) / 2
		all = append(all, clock{time.Unix(0, answer.Time).Sub(before.Add(half)), half})
	}
	return surest(all), nil
}

// surest is the measurement that can be off by least.
func surest(all []clock) clock {
	return slices.MinFunc(all, func(a, b clock) int { return cmp.Compare(a.error, b.error) })
}

// listen opens the host's ears at every address that is its own. Addresses that several hosts have, as those of
// container bridges, lead nowhere.
func (v *visit) listen(ports Ports, visits []*visit) {
	if v.session == nil {
		return
	}
	// A broken source of chance would make the whole program unsafe, so the standard library never fails here.
	rand.Read(v.secret.Ask[:])
	rand.Read(v.secret.Answer[:])
	answer, err := v.session.ask(request{Listen: &listenOrder{v.secret, ownAddresses(v, visits), ports}})
	if err != nil {
		v.lost(err)
		return
	}
	v.ears = answer.Ears
}

func ownAddresses(v *visit, visits []*visit) []netip.Addr {
	var own []netip.Addr
	for _, i := range v.facts.Interfaces {
		for _, p := range i.Addresses {
			shared := slices.ContainsFunc(visits, func(w *visit) bool { return w != v && held(w.facts, p.Addr()) != nil })
			if !shared {
				own = append(own, p.Addr())
			}
		}
	}
	return own
}

// walk lets every host try every other, all at the same time.
func walk(visits []*visit, patience time.Duration) []Path {
	found := make([][]Path, len(visits))
	var all sync.WaitGroup
	for i, v := range visits {
		if v.session == nil {
			continue
		}
		all.Go(func() {
			answer, err := v.session.ask(request{Reach: &reachOrder{targets(v, visits), patience}})
			if err != nil {
				v.lost(err)
				return
			}
			var tried []Path
			for _, r := range answer.Reached {
				if r.Host >= 0 && r.Host < len(visits) {
					tried = append(tried, path(v, visits[r.Host], r))
				}
			}
			for _, p := range tried {
				if !detour(p, tried, v.facts) {
					found[i] = append(found[i], p)
				}
			}
		})
	}
	all.Wait()
	return slices.Concat(found...)
}

// targets are the ears of the other hosts that a host is to try: those in its own networks, or all of a host that
// shares none with it.
func targets(v *visit, visits []*visit) []Target {
	var list []Target
	for i, w := range visits {
		if w == v {
			continue
		}
		near := slices.ContainsFunc(w.ears, func(e Ear) bool { return v.facts.neighbour(e.Address) != nil })
		for _, e := range w.ears {
			if !near || v.facts.neighbour(e.Address) != nil {
				list = append(list, Target{i, e, w.secret})
			}
		}
	}
	return list
}

// detour tells whether a failed path does not matter: it leads through routers, and another to the same host passes.
func detour(p Path, all []Path, f *Facts) bool {
	if p.TCP == Passed && p.UDP == Passed || f.neighbour(p.Address) != nil {
		return false
	}
	return slices.ContainsFunc(all, func(q Path) bool { return q.To == p.To && q.TCP == Passed && q.UDP == Passed })
}

func path(from, to *visit, r Reached) Path {
	p := Path{From: from.host.Name, To: to.host.Name, Local: r.Local, Address: r.Ear.Address, TCPPort: r.Ear.TCP, UDPPort: r.Ear.UDP,
		TCP: r.TCP, UDP: r.UDP, Size: r.Size, Large: r.Large, Trouble: r.Ear.Trouble}
	if i := held(from.facts, r.Local); i != nil {
		p.Interface = i.Name
	}
	if i := held(to.facts, r.Ear.Address); i != nil {
		p.Peer = i.Name
	}
	return p
}

// judgeStrangers finds hosts between which there is no path at all to try.
func judgeStrangers(visits []*visit, paths []Path) []Finding {
	s := &sheet{}
	for _, v := range visits {
		var from []string
		for _, w := range visits {
			tried := slices.ContainsFunc(paths, func(p Path) bool { return p.From == w.host.Name && p.To == v.host.Name })
			if v != w && v.facts != nil && w.facts != nil && !tried {
				from = append(from, w.host.Name)
			}
		}
		if len(from) > 0 {
			s.host = v.host.Name
			s.fail("address", "give it an address of its own, and name every host once", "it has no address that could be reached from %s", strings.Join(from, ", "))
		}
	}
	return s.findings
}

package boot

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/weft-mpi/weft/internal/agree"
	"github.com/weft-mpi/weft/internal/arrival"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/engine"
	"github.com/weft-mpi/weft/internal/inproc"
	"github.com/weft-mpi/weft/internal/model"
	"github.com/weft-mpi/weft/internal/pages"
	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/shm"
	"github.com/weft-mpi/weft/internal/tune"
)

// Rank is one rank, up and running.
type Rank struct {
	Env      *comm.Env
	loop     *progress.Loop
	pmi      *pmi.Client // nil without a launcher
	managers managers    // of which pmi is one
	net      *network    // nil on one host
	near     *shm.Link   // to ranks of this host; nil if no messages go there
	mode     progress.Mode
	pages    *pages.Huge // nil where ranks share a process
	report   string
	arrivals string // file for the profile of arrivals, "" for none
	profile  profiled
	recorder *arrival.Recorder
	place    place
	clock    clock.Clock
	effort   *clock.Effort // of a rank that Simulate runs, else nil
	measured bool          // it is charged with what it computes
	abort    func(code int, reason string)
}

// Clock is the rank's time: the host's, or virtual.
func (r *Rank) Clock() clock.Clock { return r.clock }

// Counters tells what the rank's engine has counted and, if it has a network, its link; else nil.
func (r *Rank) Counters() (e engine.Counters, l *rail.Report) {
	e = r.loop.Counters()
	if r.net != nil {
		r.loop.Locked(func() { l = r.net.link.Report() })
	}
	return e, l
}

// Commons tells what the rank's plans have done with memory of their node.
func (r *Rank) Commons() progress.CommonsCounters { return r.loop.Commons() }

// Plans tells which algorithms of collectives the rank has run.
func (r *Rank) Plans() progress.PlanCounters { return r.loop.Plans() }

// Held tells how many requests of the rank are in flight, and what its link holds for messages that are not over.
func (r *Rank) Held() (requests int, link rail.Held) {
	if r.net != nil {
		r.loop.Locked(func() { link = r.net.link.Held() })
	}
	return r.loop.Pending(), link
}

// Failed tells why the rank's calls fail, all of them; nil if they do not.
func (r *Rank) Failed() (err error) {
	r.loop.Locked(func() { err = r.loop.Failed(r.place.rank) })
	return err
}

// Site tells where the user's call is. Ranks use it in check mode and in stall reports.
type Site func() string

// Join finds this process's place and brings its rank up. It returns when all ranks of the job have come.
func Join(site Site) (*Rank, error) {
	set, err := settings()
	if err != nil {
		return nil, err
	}
	p, err := findPlace(os.Getenv)
	if err != nil {
		return nil, err
	}
	if runtime.GOMAXPROCS(0) == 1 {
		runtime.GOMAXPROCS(2) // a polling goroutine must not keep all others from running
	}
	if p.starter == alone {
		return single(set, site)
	}
	return joined(p, set, site)
}

// single makes a job of one rank.
func single(set *Settings, site Site) (*Rank, error) {
	box := inproc.NewExchange(0, 1).Box(0)
	ps := parts{
		place: place{size: 1}, set: set, site: site, links: []*progress.Link{boxLink(box)}, bell: box.Bell(), policy: clock.Park,
		stalled: printStall(0), stall: set.Stall, machine: model.Ethernet,
	}
	var err error
	if ps.facts, err = agreed(1, []agree.Host{oneProcess(1, set)}, set); err != nil {
		return nil, err
	}
	ps.share(progress.Node{Memory: box})
	return build(ps)
}

// oneProcess is a host that is this process alone, with so many ranks in it.
func oneProcess(ranks int, set *Settings) agree.Host {
	return agree.Host{Name: "this process", Ranks: everybody(ranks), CPUs: clock.CPUs(), Fetches: true, Room: set.Commons}
}

// share lets plans use what the ranks of a node have in common, if they agreed to.
func (ps *parts) share(node progress.Node) {
	if ps.facts.Terms().Shares {
		ps.node = node
	}
}

// parts is what a rank is put together from.
type parts struct {
	place   place
	set     *Settings
	site    Site
	links   []*progress.Link
	route   func(int) *progress.Link // which of several leads to a peer
	net     *network                 // nil on one host
	kind    string                   // of RDMA hardware that the network is made of, "" for none
	loop    *progress.Link           // to ourselves, where links cannot
	bell    progress.Bell
	policy  clock.Policy
	stall   int64
	stalled func([]progress.Stalled)
	broken  func(error) // see progress.Config
	sited   Site        // the same as site where finding it costs nothing while messages flow
	shm     *shm.Link
	near    *shm.Link   // the same if messages go there
	pages   *pages.Huge // told of memory that links copy from and to; nil: nobody is
	client  *pmi.Client
	clock   clock.Clock      // nil on a host
	virtual *clock.Scheduler // likewise
	world   *comm.Group      // of all ranks, if several share it
	node    progress.Node    // what the ranks of a node share
	facts   *agree.Facts
	machine model.Machine // what costs how much, if WEFT_MACHINE does not say
	costs   *comm.Costs   // what was reckoned, if several ranks share it; may be nil
}

func build(p parts) (*Rank, error) {
	choose, err := selector(p.set, p.machine)
	if err != nil {
		return nil, err
	}
	if p.costs == nil {
		p.costs = new(comm.Costs)
	}
	loop := progress.New(progress.Config{
		Self: p.place.rank, Links: p.links, Route: p.route, Engine: p.set.Engine, Loop: p.loop, Node: p.node, Bell: p.bell, Policy: p.policy, Learns: p.net != nil && p.set.Wait == "hybrid",
		Mode: p.set.Progress, Pulse: pulse(&p), Stall: p.stall, Stalled: p.stalled, Broken: p.broken, Site: p.sited,
		Clock: p.clock, Virtual: p.virtual, Name: fmt.Sprintf("background of rank %d", p.place.rank),
	})
	env := &comm.Env{
		Loop: loop, Self: p.place.rank, Size: p.place.size, Facts: p.facts,
		Select: choose.Remembering(p.costs), Options: p.set.Comm, Site: p.site, Everybody: p.world,
		Alloc: func(n int) ([]byte, error) { return make([]byte, n), nil },
		Free:  func([]byte) error { return nil },
		NUMA:  numaNode,
	}
	if p.virtual != nil {
		env.NUMA = func() int { return 0 } // simulated nodes have one memory
	}
	if p.shm != nil {
		env.Alloc = func(n int) (b []byte, err error) {
			loop.Locked(func() { b, err = p.shm.Alloc(n) })
			return b, err
		}
		env.Free = func(b []byte) (err error) {
			loop.Locked(func() { err = p.shm.Free(b) })
			return err
		}
	}
	if p.clock == nil {
		p.clock = clock.Real
	}
	env.Now = p.clock.Now
	return &Rank{Env: env, loop: loop, pmi: p.client, place: p.place, net: p.net, near: p.near, mode: p.set.Progress, pages: p.pages, report: p.set.Report, arrivals: p.set.Arrivals, profile: profiled{path: p.set.Profile, trace: p.set.Trace}, clock: p.clock}, nil
}

// pulse is how often a rank that makes no calls looks whether a peer asks for something: the less
// often the more of them share the processors. One that is alone has no peers.
func pulse(p *parts) int64 {
	const shortest, each = 50e6, 1e6 // nanoseconds
	if p.place.size == 1 {
		return 0
	}
	ranks := len(p.place.local)
	if ranks == 0 { // all in one process
		ranks = p.place.size
	}
	return max(shortest, each*int64(ranks))
}

// checking decides whether collective calls are compared: by default in test binaries only.
func checking(word string) bool {
	return word == "on" || word == "auto" && strings.HasSuffix(os.Args[0], ".test")
}

const forever = 1 << 62 // polls

// policy says how ranks that share this host wait.
func policy(word string, ranks, cpus int) clock.Policy {
	switch word {
	case "spin":
		return clock.Policy{Spins: forever}
	case "park":
		return clock.Policy{}
	}
	return clock.PolicyFor(ranks, cpus)
}

// overNetwork is how the ranks of a host wait where answers may take a network's round trip: longer, where
// that is no loss to others. To sleep and to be woken costs more than most round trips, and in a virtual
// machine, whose processors halt, far more. They spin for a moment only, since hosts may share processors
// unawares.
func overNetwork(p clock.Policy, at *place) clock.Policy {
	switch {
	case p.Spins <= 1 || p.Spins == forever:
		return p
	case at.dozes():
		return clock.Policy{Spins: networkSpins, Yields: roomyYields}
	}
	return clock.Policy{Spins: networkSpins, Yields: networkYields}
}

// For how many polls to spin, and then to offer the processor to others, before sleeping.
const (
	networkSpins  = 50
	networkYields = 200   // some 100 us
	roomyYields   = 2_000 // some 5 to 10 ms, as long as a message of 1 MB takes over 1 Gbit/s: half of the processors have nothing to do
)

// joined brings up one of several processes.
func joined(p place, set *Settings, site Site) (*Rank, error) {
	m, err := p.managed(set)
	if err != nil {
		return nil, err
	}
	r, err := attach(p, set, site, m.client)
	if err != nil {
		if errors.Is(err, pmi.ErrGone) && m.dismissed() {
			m.deserted(p)
		}
		m.close()
		return nil, err
	}
	r.managers = m
	go func() {
		<-m.client.Gone()
		m.deserted(p)
	}()
	return r, nil
}

func attach(p place, set *Settings, site Site, client *pmi.Client) (*Rank, error) {
	file, err := segmentFile(&p, client, set)
	if err != nil {
		return nil, err
	}
	seg, err := shm.Open(file)
	file.Close()
	if err != nil {
		return nil, badSegment(p, fmt.Errorf("cannot be used: %w", err))
	}
	if seg.Ranks != len(p.local) {
		return nil, fmt.Errorf("%w: the shared segment is for %d ranks, this host has %d", ErrLauncher, seg.Ranks, len(p.local))
	}
	huge := new(pages.Huge)
	cfg := set.Shm
	cfg.Segment, cfg.Self, cfg.Members, cfg.Help, cfg.Pages = seg, p.localRank(), p.members(), helps(p, set), huge
	link := shm.NewLink(cfg)
	ps := parts{
		place: p, set: set, site: site, client: client, shm: link, pages: huge,
		loop: boxLink(inproc.NewExchange(p.rank, 1).Box(0)), bell: link.Bell(), policy: policy(set.Wait, len(p.local), p.cpus),
		stall: set.Stall, stalled: tellStall(p, client), sited: site, machine: model.Ethernet,
	}
	if err := ps.connect(link); err != nil {
		return nil, err
	}
	if err := client.Barrier(); err != nil { // from here on all are attached to their segments
		return nil, fmt.Errorf("%w: waiting for the other ranks: %w", ErrLauncher, err)
	}
	// All vote, whatever their settings say: these have not been compared yet.
	fetches, files, err := unanimous(link)
	if err != nil {
		return nil, err
	}
	own := agree.Host{Name: p.hostName(), Ranks: p.local, CPUs: p.cpus, Rails: ps.net.railCount(), Fetches: fetches, Room: seg.Commons}
	if ps.facts, err = p.agree(client, own, set, ps.kind); err != nil {
		return nil, err
	}
	ps.share(progress.Node{Memory: link, Copier: link, WillWrite: link.WillWrite, Populate: link.Populate})
	if files && ps.net != nil && sharing(set) {
		ps.bell = fileBell{link.Bell(), ps.net.link.Bell()}
	}
	r, err := build(ps)
	if err == nil && p.starter == byWeft {
		client.OnDump(r.answers(client))
		err = r.recovers(client)
	}
	return r, err
}

// helps tells whether waiting senders should copy.
func helps(p place, set *Settings) bool {
	return set.Help == "on" || set.Help == "auto" && !p.crowded()
}

// members is how the job numbers the ranks of the segment; nil if both number alike.
func (p *place) members() []int {
	if len(p.local) == p.size {
		return nil
	}
	return p.local
}

// connect adds the links: shared memory to ranks of this host, the network to others, as far as there are any.
func (ps *parts) connect(local *shm.Link) error {
	near := &progress.Link{Transport: local, Near: local, Copier: local, Picker: local, Pieces: true, Forsaker: local}
	p, links := ps.place, ps.set.Links
	if links == "shm" && p.hosts > 1 {
		return fmt.Errorf("%w: WEFT_LINKS=shm, but the job runs on %d hosts", tune.ErrBad, p.hosts)
	}
	if links != "rail" && len(p.local) == p.size {
		ps.near = local
		ps.links = []*progress.Link{near}
		return nil
	}
	key, err := jobKey(p, ps.client)
	if err != nil {
		return err
	}
	alone := links == "rail" || len(p.local) == 1 // nobody comes by shared memory
	own := new(local.Bell())
	if alone {
		own = nil
	}
	if ps.net, err = ps.openNetwork(ps.client, key, own); err != nil {
		return fmt.Errorf("rank %d: %w", p.rank, err)
	}
	ps.policy = overNetwork(ps.policy, &p)
	net := railLink(ps.net.link)
	if alone {
		ps.bell, ps.links = ps.net.link.Bell(), []*progress.Link{net}
		return nil
	}
	if fd := ps.net.link.Bell().File(); fd >= 0 {
		local.OfferBell(fd)
	}
	ps.bell = railBell{ps.bell, ps.net.link}
	ps.near = local
	ps.links = []*progress.Link{near, net}
	to := make([]*progress.Link, p.size)
	for i := range to {
		to[i] = net
	}
	for _, i := range p.local {
		to[i] = near
	}
	ps.route = func(peer int) *progress.Link { return to[peer] }
	return nil
}

// railLink is the link to ranks of other hosts.
func railLink(l *rail.Link) *progress.Link {
	k := &progress.Link{Transport: l, Long: l, Timed: l, Dialer: l, Far: l, Forsaker: l}
	if l.Catches() {
		k.Catcher = l
	}
	return k
}

// boxLink is the link between ranks that are goroutines of one process.
func boxLink(b *inproc.Box) *progress.Link { return &progress.Link{Transport: b, Near: b} }

// Leave ends the rank: everybody has to call it, and it waits for them.
func (r *Rank) Leave() error {
	err := r.writeReport()
	if r.net != nil {
		err = errors.Join(err, r.settle())
	}
	r.end()
	if r.net != nil {
		err = errors.Join(err, r.net.close())
	}
	if r.pmi == nil {
		return err
	}
	return errors.Join(err, r.managers.leave(r.place.starter == byWeft))
}

// end has every call from now on return an error: the job is over.
func (r *Rank) end() {
	r.loop.Close()
	r.loop.End(fmt.Errorf("%w: %w", comm.ErrComm, comm.ErrOver))
}

// settle stays on the network until no rank needs it any more: all have what was sent to them when all have come.
func (r *Rank) settle() (err error) {
	r.loop.Settle(settleLimit)
	over, rung := make(chan struct{}), make(chan struct{})
	go func() {
		err = r.pmi.Barrier()
		close(over)
		r.loop.Ring()
		close(rung)
	}()
	r.loop.Serve(func() bool {
		select {
		case <-over:
			return true
		default:
			return false
		}
	})
	<-rung // the bell must still be there
	return err
}

// settleLimit is how long a rank that ends waits for peers to acknowledge what it sent, in nanoseconds.
const settleLimit = 30e9

// LastWords tells the launcher why the rank is about to exit, which it has said on standard error.
func (r *Rank) LastWords(why string) {
	if r.place.starter == byWeft {
		_ = r.pmi.LastWords(why) // who does not hear it only knows less
	}
}

// Abort ends the whole job with an exit code. It does not return.
func (r *Rank) Abort(code int, reason string) {
	if code &= 0xff; code == 0 {
		code = 1
	}
	if r.abort != nil {
		r.abort(code, reason)
		return
	}
	if r.pmi == nil || r.place.starter == byPMI && r.place.size == 1 { // else our launcher says it, or the leader
		fmt.Fprintf(os.Stderr, "weft: rank %d aborts the job with code %d: %s\n", r.place.rank, code, reason)
	}
	if r.pmi != nil {
		r.managers.abort(code, reason)
	}
	os.Exit(code)
}

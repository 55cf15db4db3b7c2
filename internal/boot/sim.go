package boot

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/comm"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/rail"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/sim"
)

// SimConfig describes a job on a simulated cluster.
type SimConfig struct {
	Scheduler *clock.Scheduler
	Fabric    *sim.Fabric
	Ranks     int
	// Place says on which node and core a rank is; nil fills one node after the other, evenly.
	Place func(rank int) (node, core int)
	// Env is the settings, NAME=value as in an environment. The process's own is not looked at.
	Env  []string
	Seed uint64 // of what is left to chance by settings
	Site Site
	// Link and Device, if not nil, may wrap what a rank uses: Link the parts of a link as progress calls
	// them, in place, Device the device as the link calls it.
	Link   func(rank int, l *progress.Link)
	Device func(rank int, d verbs.Device) verbs.Device
}

// place is where a rank is.
func (c *SimConfig) place(rank int) (node, core int) {
	if c.Place != nil {
		return c.Place(rank)
	}
	each := (c.Ranks + c.Fabric.Cluster().Nodes - 1) / c.Fabric.Cluster().Nodes
	return rank / each, rank % each
}

// simulation is what a crew has in virtual time.
type simulation struct {
	scheduler *clock.Scheduler
	tasks     []*clock.Task // of the ranks that were started
	bells     []*clock.TaskBell
	boxes     []*sim.Shared // of each rank, nil without shared memory
	done      []bool        // ranks whose program has ended, or that are dead
	dead      []bool
	left      int // how many of them
}

// simJob is what ranks of a simulated job are made from.
type simJob struct {
	*SimConfig
	set    *Settings
	crew   *Crew
	notes  *notes
	world  *comm.Group
	costs  *comm.Costs
	net    rail.Config
	nodes  [][]int  // ranks of each node
	node   []int    // of each rank
	number []int    // of each node among those with ranks
	hosts  int      // how many these are
	most   int      // ranks of one of them
	shared bool     // ranks of a node reach each other by shared memory
	ranks  []*parts // what they are being put together from
}

// NewSimCrew makes a job on a simulated cluster. Close it.
func NewSimCrew(cfg SimConfig) (*Crew, error) {
	set, err := ReadSettings(cfg.Env)
	if err == nil {
		err = set.Unknown()
	}
	if err == nil && cfg.Ranks < 1 {
		err = fmt.Errorf("%w: %d ranks", comm.ErrCount, cfg.Ranks)
	}
	if err != nil {
		return nil, err
	}
	if set.Check == "auto" {
		set.Check = "off" // what is simulated does not depend on who simulates it
	}
	prepareMemory(cfg.Ranks)
	n := cfg.Ranks
	c := &Crew{quit: make(chan struct{})}
	c.sim = &simulation{scheduler: cfg.Scheduler, tasks: make([]*clock.Task, n), done: make([]bool, n), dead: make([]bool, n), boxes: make([]*sim.Shared, n)}
	for i := range n {
		c.sim.bells = append(c.sim.bells, clock.NewTaskBell(cfg.Scheduler, func() string { return c.waits(i) }))
	}
	procs := make([]int, n)
	for i := range procs {
		procs[i] = i
	}
	j := &simJob{SimConfig: &cfg, set: set, crew: c, notes: newNotes(), world: comm.NewGroup(procs), costs: new(comm.Costs), net: rail.Config{Options: set.Rail}}
	if err = j.settle(); err == nil {
		err = j.price()
	}
	if err == nil && j.shared {
		err = j.share()
	}
	if err == nil {
		err = j.bringUp()
	}
	if err != nil {
		j.closeNetworks()
		return nil, err
	}
	c.convene()
	return c, nil
}

// share makes the shared memory of each node with ranks.
func (j *simJob) share() error {
	for node, ranks := range j.nodes {
		if len(ranks) == 0 {
			continue
		}
		var seats []sim.Seat
		for _, r := range ranks {
			_, core := j.place(r)
			seats = append(seats, sim.Seat{Rank: r, Core: core, Bell: j.crew.sim.bells[r]})
		}
		boxes, err := j.Fabric.Shared(node, seats)
		if err != nil {
			return err
		}
		for i, r := range ranks {
			j.crew.sim.boxes[r] = boxes[i]
		}
	}
	return nil
}

// price finds out how often a buffer must be used to be worth registering: on a node like theirs, before
// the job begins, and once for all ranks.
func (j *simJob) price() error {
	if !j.net.Reuse.On || j.net.Reuse.Thresholds != nil {
		return nil
	}
	cluster := j.Fabric.Cluster()
	cluster.Nodes, cluster.Each = 1, nil
	s := clock.NewScheduler(0)
	f, err := sim.New(s, cluster)
	if err != nil {
		return err
	}
	dev, err := f.Open(0)
	if err != nil {
		return err
	}
	defer dev.Close()
	host, err := f.Host(0, 0)
	if err != nil {
		return err
	}
	cfg := j.net
	cfg.Device, cfg.Clock, cfg.Size, cfg.Prefixes, cfg.Channel = dev, host, 1, addresses(dev, 1), rail.SRQ
	link, err := rail.New(cfg)
	if err != nil {
		return err
	}
	var worth rail.Thresholds
	s.Go("measure", func() { worth = link.Measure() })
	if err := s.Run(); err != nil {
		return err
	}
	link.Close()
	j.net.Reuse.Thresholds = func() rail.Thresholds { return worth }
	return nil
}

// connect gives a rank its links: shared memory to ranks of its node, if there is any, and the network to others.
func (j *simJob) connect(ps *parts, node int) {
	net := j.wrap(ps.place.rank, railLink(ps.net.link))
	ps.links = []*progress.Link{net}
	box := j.crew.sim.boxes[ps.place.rank]
	if box == nil || len(ps.place.local) == 1 {
		return
	}
	local := j.wrap(ps.place.rank, &progress.Link{Transport: box, Near: box})
	ps.links = []*progress.Link{local, net}
	ps.route = func(peer int) *progress.Link {
		if j.node[peer] == node {
			return local
		}
		return net
	}
}

// openNetwork opens a rank's way to other nodes.
func (j *simJob) openNetwork(ps *parts, node int, host clock.Clock, bell *clock.TaskBell) (*network, error) {
	dev, err := j.Fabric.Open(node)
	if err != nil {
		return nil, err
	}
	if tap := j.set.Faults.tap(rand.New(rand.NewPCG(j.Seed, uint64(ps.place.rank)))); tap != nil {
		dev.Tap(tap)
	}
	cfg := j.net
	cfg.Striping = striping(cfg.Striping, ps.place.crowded())
	cfg.Clock, cfg.Bell, cfg.Device = host, bell.Ring, dev
	cfg.Prefixes = addresses(dev, j.set.Rails)
	if j.Device != nil {
		cfg.Device = j.Device(ps.place.rank, dev)
	}
	return newNetwork(ps.place, cfg, j.notes)
}

// addresses are those of a device's rails, with their networks.
func addresses(dev *sim.Device, most int) (all []netip.Prefix) {
	for i, r := range dev.Rails()[:min(len(dev.Rails()), most)] {
		all = append(all, netip.PrefixFrom(r.Addr, dev.Prefixes()[i].Bits()))
	}
	return all
}

// wrap lets SimConfig.Link wrap a link.
func (j *simJob) wrap(rank int, l *progress.Link) *progress.Link {
	if j.Link != nil {
		j.Link(rank, l)
	}
	return l
}

func (s *simulation) start(i int, f func()) {
	s.tasks[i] = s.scheduler.Go(fmt.Sprintf("rank %d", i), f)
}

// waits says what a rank waits for, in a deadlock's report.
func (c *Crew) waits(i int) string {
	all := c.Ranks[i].loop.Waiting()
	switch {
	case len(all) == 0 && c.sim.done[i]:
		return "has ended, and waits for the others to end"
	case len(all) == 0:
		return "waits"
	}
	var text []string
	for _, s := range all[:min(len(all), waitsTold)] {
		text = append(text, fmt.Sprintf("has been waiting %d ns in %s", s.For, describe(s.Wait)))
	}
	if more := len(all) - waitsTold; more > 0 {
		text = append(text, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(text, "; ")
}

// waitsTold is how many requests of a rank a deadlock's report names.
const waitsTold = 4

// leave stays on the network until no rank needs this one any more.
func (c *Crew) leave(i int) {
	r := c.Ranks[i]
	if c.Cause() == nil {
		r.loop.Settle(settleLimit)
	}
	c.gone(i)
	r.loop.Serve(func() bool { return c.sim.left == len(c.Ranks) || c.Cause() != nil })
}

// gone notes that nothing more comes of a rank's program.
func (c *Crew) gone(i int) {
	if c.sim.done[i] {
		return
	}
	c.sim.done[i] = true
	if c.sim.left++; c.sim.left == len(c.Ranks) {
		for _, b := range c.sim.bells {
			b.Ring()
		}
	}
}

// Kill ends a rank as the crash of its process would: it stops where it stands, and its connections break.
// A rank that kills itself does not return. It is for virtual time.
func (c *Crew) Kill(i int) {
	r, t := c.Ranks[i], c.sim.tasks[i]
	if c.sim.dead[i] {
		return
	}
	c.sim.dead[i] = true
	r.loop.Kill()
	own := t == c.sim.scheduler.Current()
	if t != nil && !own {
		t.Kill()
	}
	_ = r.net.dev.Close()
	if box := c.sim.boxes[i]; box != nil {
		box.Die(errDead)
	}
	c.gone(i)
	if own && t != nil {
		t.Kill()
	}
}

var errDead = errors.New("its process has died")

// Left tells whether nothing more comes of a rank's program: it has ended and what it sent has come, or it was killed.
func (c *Crew) Left(i int) bool { return c.sim != nil && c.sim.done[i] }

// Dead tells whether a rank was killed.
func (c *Crew) Dead(i int) bool { return c.sim != nil && c.sim.dead[i] }

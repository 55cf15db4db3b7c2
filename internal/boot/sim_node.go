package boot

import (
	"errors"
	"fmt"

	"github.com/weft-mpi/weft/internal/agree"
	"github.com/weft-mpi/weft/internal/inproc"
	"github.com/weft-mpi/weft/internal/progress"
	"github.com/weft-mpi/weft/internal/tune"
)

// settle finds out where everybody is.
func (j *simJob) settle() error {
	j.nodes = make([][]int, j.Fabric.Cluster().Nodes)
	for i := range j.Ranks {
		node, _ := j.place(i)
		if node < 0 || node >= len(j.nodes) {
			return fmt.Errorf("rank %d is placed on node %d of a cluster of %d", i, node, len(j.nodes))
		}
		j.nodes[node] = append(j.nodes[node], i)
		j.node = append(j.node, node)
	}
	for _, ranks := range j.nodes {
		j.number = append(j.number, j.hosts)
		if j.most = max(j.most, len(ranks)); len(ranks) > 0 {
			j.hosts++
		}
	}
	switch j.set.Links {
	case "shm":
		if j.hosts > 1 {
			return fmt.Errorf("%w: WEFT_LINKS=shm, but the job runs on %d nodes", tune.ErrBad, j.hosts)
		}
		j.shared = true
	case "rail":
	default:
		j.shared = j.Fabric.HasShared() && j.most > 1
	}
	return nil
}

// bringUp brings up the ranks in the steps of processes: each tells all what its node is like, if
// it is the first there, and when all have told, makes facts of what it hears.
func (j *simJob) bringUp() error {
	for i := range j.Ranks {
		if err := j.open(i); err != nil {
			return fmt.Errorf("rank %d: %w", i, err)
		}
	}
	c := j.crew
	for i, ps := range j.ranks {
		if err := j.hear(ps); err != nil {
			return err
		}
		ps.share(j.nodeOf(i))
		r, err := build(*ps)
		if err != nil {
			return err
		}
		r.abort = c.aborts(i)
		c.Ranks = append(c.Ranks, r)
	}
	return nil
}

// tell tells all ranks what a rank's node is like, as a process there would find it.
func (j *simJob) tell(ps *parts) (err error) {
	p := &ps.place
	own := agree.Host{Name: p.host, Ranks: p.local, CPUs: p.cpus, Rails: ps.net.railCount(), Fetches: true, Room: j.set.Commons}
	if v, asks := j.nodeOf(p.rank).Memory.(voter); asks {
		own.Fetches, _, err = unanimous(v)
	}
	return errors.Join(err, p.tell(j.notes, own))
}

// hear has a rank make facts of what the nodes have told.
func (j *simJob) hear(ps *parts) (err error) {
	if ps.place.rank >= listeners {
		ps.facts = j.ranks[0].facts
		return nil
	}
	set := *j.set
	if !j.shared {
		set.Commons = 0 // nodes have no memory in common
	}
	ps.facts, err = ps.place.hear(j.notes, &set)
	return err
}

// listeners is how many ranks hear for themselves what nodes have told. In larger jobs, where that
// would take long, the others know what the first one knows.
const listeners = 64

// open begins to put a rank together, with its links, and has it tell the others what its node has.
func (j *simJob) open(i int) error {
	node, core := j.place(i)
	host, err := j.Fabric.Host(node, core)
	if err != nil {
		return err
	}
	own, err := j.Fabric.Node(node)
	if err != nil {
		return err
	}
	c, bell := j.crew, j.crew.sim.bells[i]
	ps := &parts{
		place: place{rank: i, size: j.Ranks, hosts: j.hosts, node: j.number[node], host: fmt.Sprintf("node %d", node), local: j.nodes[node], cpus: own.Cores}, set: j.set, site: j.Site,
		clock: host, virtual: j.Scheduler, world: j.world, machine: j.Fabric.Cluster().Profile.Machine(), costs: j.costs,
	}
	ps.broken = func(why error) { c.failSoon(fmt.Errorf("rank %d: %w", i, why)) }
	self := inproc.NewExchange(i, 1)
	self.Charge(host)
	ps.loop = boxLink(self.Box(0))
	if ps.net, err = j.openNetwork(ps, node, host, bell); err != nil {
		return err
	}
	j.ranks = append(j.ranks, ps)
	j.connect(ps, node)
	ps.bell = railBell{bell, ps.net.link}
	return j.tell(ps)
}

// closeNetworks undoes what open has done.
func (j *simJob) closeNetworks() {
	for _, ps := range j.ranks {
		_ = ps.net.close()
	}
}

// nodeOf is what a rank shares with those of its node.
func (j *simJob) nodeOf(rank int) (n progress.Node) {
	if box := j.crew.sim.boxes[rank]; box != nil {
		n.Memory, n.Late = box, box
	}
	return n
}

package boot

import (
	"fmt"

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
	switch j.set.Net.Links {
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

// bringUp brings up the ranks as processes do: each tells what its node has, and when all have, finds out what the others have told.
func (j *simJob) bringUp() error {
	for i := range j.Ranks {
		if err := j.open(i); err != nil {
			return fmt.Errorf("rank %d: %w", i, err)
		}
	}
	first := j.ranks[0]
	host, rails, err := first.place.findHosts(j.notes, first.net.railCount()) // every rank would find the same
	if err != nil {
		return err
	}
	nodes, c := layout(j.Ranks, func(rank int) int { return host[rank] }, j.set), j.crew
	for i, ps := range j.ranks {
		j.facts(ps, nodes, rails)
		r, err := build(*ps)
		if err != nil {
			return err
		}
		r.abort = func(code int, reason string) { c.Fail(&AbortError{Rank: i, Code: code, Reason: reason}) }
		c.Ranks = append(c.Ranks, r)
	}
	return nil
}

// facts gives a rank what it knows of the nodes.
func (j *simJob) facts(ps *parts, nodes []int, rails int) {
	ps.commons(nodes, rails, j.nodeOf(ps.place.rank))
	ps.shares = ps.shares && j.shared
	f := j.agree(facts{local: len(ps.place.local), cpus: ps.place.cpus, fetches: ps.fetches})
	ps.local, ps.cpus, ps.fetches = f.local, f.cpus, f.fetches
}

// facts is what a rank finds on its node.
type facts struct {
	local, cpus int
	fetches     bool
}

// agree is what holds for all nodes: the most ranks, the fewest processors, and whether the ranks of each can read each other's memory.
func (j *simJob) agree(own facts) facts {
	facts := own
	for _, ranks := range j.nodes {
		if len(ranks) == 0 {
			continue
		}
		facts.local, facts.cpus = max(facts.local, len(ranks)), min(facts.cpus, j.ranks[ranks[0]].place.cpus)
		if v, asks := j.nodeOf(ranks[0]).(voter); asks {
			can, _ := unanimous(v)
			facts.fetches = facts.fetches && can
		}
	}
	return facts
}

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
	bell := j.crew.sim.bells[i]
	ps := &parts{
		place: place{rank: i, size: j.Ranks, hosts: j.hosts, node: j.number[node], local: j.nodes[node], cpus: own.Cores}, set: j.set, site: j.Site,
		clock: host, virtual: j.Scheduler, world: j.world,
	}
	self := inproc.NewExchange(i, 1)
	self.Charge(host)
	ps.loop = self.Box(0)
	if ps.net, err = j.openNetwork(ps, node, host, bell); err != nil {
		return err
	}
	j.ranks = append(j.ranks, ps)
	j.connect(ps, node)
	ps.bell = railBell{bell, ps.net.link}
	return ps.place.tellNode(j.notes, ps.net.railCount())
}

// closeNetworks undoes what open has done.
func (j *simJob) closeNetworks() {
	for _, ps := range j.ranks {
		_ = ps.net.close()
	}
}

// nodeOf is what a rank shares with those of its node, nil if nobody shares anything.
func (j *simJob) nodeOf(rank int) progress.Node {
	if box := j.crew.sim.boxes[rank]; box != nil {
		return box
	}
	return nil
}

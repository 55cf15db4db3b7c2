package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/topo"
)

// explainCommand is "weft info --explain OP BYTES RANKS": which algorithm serves a collective on this
// machine, and why; and "weft info --explain send BYTES": which protocol carries a message. With a path for
// a figure the collective's algorithms are drawn instead.
func explainCommand(args []string, place layout, asJSON bool, plot string) int {
	var text string
	var err error
	switch {
	case plot != "":
		text, err = plotCosts(args, place, os.Environ(), plot)
	case len(args) > 0 && args[0] == "send":
		text, err = explainSend(args[1:], os.Environ(), asJSON)
	case asJSON:
		err = errors.New("only of a send as JSON: weft info --json --explain send 1M")
	default:
		text, err = explain(args, place, os.Environ())
	}
	if err != nil {
		complain("--explain: %v", err)
		return codeUsage
	}
	fmt.Println(strings.TrimRight(text, "\n"))
	return 0
}

// layout is where the ranks of a case are, and how far apart they arrive.
type layout struct{ nodes, rails, spread int }

// check refuses what cannot be.
func (p layout) check(ranks int) error {
	switch {
	case p.nodes < 1 || p.nodes > ranks:
		return fmt.Errorf("--nodes %d: there are 1 to %d nodes for %d ranks", p.nodes, ranks, ranks)
	case p.rails < 1 || p.rails > coll.MaxPorts:
		return fmt.Errorf("--rails %d: write 1 to %d", p.rails, coll.MaxPorts)
	case p.spread < 0:
		return fmt.Errorf("--spread %d: write 0 or more", p.spread)
	}
	return nil
}

// of puts ranks on nodes, as evenly as can be, and returns the node of each.
func (p layout) of(ranks int) []int {
	nodes := make([]int, ranks)
	for r := range nodes {
		nodes[r] = r * p.nodes / ranks
	}
	return nodes
}

func explain(args []string, place layout, environ []string) (string, error) {
	q, err := askedFor(args, place, environ)
	if err != nil {
		return "", err
	}
	return q.selector.Explain(q.of(q.bytes))
}

// question is a collective that is to be explained.
type question struct {
	op           coll.Op
	bytes, ranks int
	cores        int
	place        layout
	selector     *coll.Selector
}

// of is the question's case, of so many bytes.
func (q *question) of(bytes int) coll.Case {
	c := evenCase(q.op, bytes, q.ranks, q.cores)
	c.Nodes, c.Rails, c.Spread, c.Shares, c.Fetches = q.place.of(q.ranks), q.place.rails, q.place.spread, true, true
	c.Local = c.MostLocal()
	return c
}

// askedFor reads an operation, bytes and ranks.
func askedFor(args []string, place layout, environ []string) (*question, error) {
	if len(args) != 3 {
		return nil, fmt.Errorf("write an operation, a size and a number of ranks: weft info --explain allgather 64K 16")
	}
	op, known := coll.ParseOp(args[0])
	if !known {
		var names []string
		for _, o := range coll.Ops() {
			names = append(names, o.String())
		}
		return nil, fmt.Errorf("%q is no collective%s; there are %s; and send", args[0], didYouMean(args[0], names), strings.Join(names, ", "))
	}
	bytes, err := parseSize(args[1])
	if err != nil {
		return nil, err
	}
	ranks, err := parseCount(args[2])
	if err != nil {
		return nil, err
	}
	if err := place.check(ranks); err != nil {
		return nil, err
	}
	selector, err := selectorFor(environ)
	if err != nil {
		return nil, err
	}
	cpus, err := clock.AllowedCPUs()
	if err != nil {
		return nil, err
	}
	return &question{op, bytes, ranks, len(cpus), place, selector}, nil
}

// evenCase describes rank 0's part of a call in which all ranks, here on one host, have blocks of the same size.
func evenCase(op coll.Op, bytes, ranks, cores int) coll.Case {
	c := coll.Case{Op: op, Ranks: ranks, Bytes: bytes, Commutative: true, Local: ranks, Cores: cores}
	if bytes%8 == 0 {
		c.Elem = 8
	}
	counts, displs := make([]int, ranks), make([]int, ranks)
	for r := range ranks {
		counts[r], displs[r] = bytes, r*bytes
	}
	switch op {
	case coll.Scatterv:
		c.SendCounts, c.SendDispls = counts, displs
	case coll.Gatherv, coll.Allgatherv:
		c.RecvCounts, c.RecvDispls = counts, displs
	case coll.NeighborAllgather, coll.NeighborAllgatherv, coll.NeighborAlltoall, coll.NeighborAlltoallv:
		c.Graph = torus(ranks)
		if op.Private() {
			counts, displs = counts[:1:1], displs[:1:1]
			for r := 1; r < c.Graph.Degree(); r++ {
				counts, displs = append(counts, bytes), append(displs, r*bytes)
			}
			c.RecvCounts, c.RecvDispls = counts, displs
		}
		if op == coll.NeighborAlltoallv {
			c.SendCounts, c.SendDispls = counts, displs
		}
	case coll.Alltoallv:
		c.SendCounts, c.SendDispls, c.RecvCounts, c.RecvDispls = counts, displs, counts, displs
	}
	return c
}

// torus is who the neighbours of so many ranks are whose grid has two dimensions, both periodic: the four
// beside each.
func torus(ranks int) *topo.Graph {
	sizes, err := topo.Dims(ranks, 2)
	if err != nil {
		panic(err) // there is a rank, or the number would have been refused
	}
	return topo.Grid{Sizes: sizes, Periodic: []bool{true, true}}.Neighbors()
}

// parseSize reads a number of bytes with an optional K, M or G, powers of 1024.
func parseSize(text string) (int, error) {
	const most = 1 << 40
	upper := strings.ToUpper(text)
	digits := strings.TrimRight(upper, "KMG")
	shift, known := map[string]int{"": 0, "K": 10, "M": 20, "G": 30}[upper[len(digits):]]
	n, err := strconv.ParseUint(digits, 10, 41)
	if err != nil || !known || n > most>>shift {
		return 0, fmt.Errorf("%q is no size; write bytes, or 64K, 4M, 1G", text)
	}
	return int(n) << shift, nil
}

// rulesCommand prints the selector's rules.
func rulesCommand() int {
	selector, err := selectorFor(os.Environ())
	if err != nil {
		complain("--rules: %v", err)
		return codeUsage
	}
	fmt.Println(strings.TrimRight(selector.Print(), "\n"))
	return 0
}

// selectorFor returns the selector that ranks with this environment would use.
func selectorFor(environ []string) (*coll.Selector, error) {
	settings, err := boot.ReadSettings(environ)
	if err != nil {
		return nil, err
	}
	return boot.Selector(settings)
}

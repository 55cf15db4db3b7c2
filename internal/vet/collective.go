package vet

import (
	"go/ast"
	"go/token"
	"slices"
)

// collectives finds calls that all ranks of a communicator must make in places that only some of them
// reach: a branch or a loop that depends on the rank, without the same call on the other side, or behind a
// return of some ranks. A communicator that is not the one whose rank decides may well be that of the ranks
// in the branch, so it is left alone.
func collectives(f *function) {
	f.own(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.IfStmt:
			if outer, ok := f.parents[n].(*ast.IfStmt); !ok || outer.Else != n {
				f.compare(n, f.ifBranches(n))
			}
		case *ast.SwitchStmt:
			f.compare(n, f.switchBranches(n))
		case *ast.ForStmt:
			f.loop(n.Body, f.ranksIn(n.Cond))
		case *ast.RangeStmt:
			f.loop(n.Body, f.ranksIn(n.X))
		}
	})
}

// fork is a statement that sends ranks different ways.
type fork struct {
	ranks    []place // the communicators whose rank decides
	branches [][]ast.Stmt
	open     bool // the last branch is that of ranks that no condition is true for, of which there may be none
}

// ifBranches are the branches of an if, with those of the ifs in its else. What these do before they decide
// is part of the branches behind.
func (f *function) ifBranches(s *ast.IfStmt) (k fork) {
	var before []ast.Stmt
	for {
		if found := f.ranksIn(s.Cond); len(found) > 0 {
			k.ranks = append(k.ranks, found...)
			k.branches = append(k.branches, slices.Concat(before, s.Body.List))
		}
		switch next := s.Else.(type) {
		case *ast.IfStmt:
			if s = next; s.Init != nil {
				before = append(before, s.Init)
			}
			continue
		case *ast.BlockStmt:
			k.branches = append(k.branches, slices.Concat(before, next.List))
		default:
			k.open = true
			k.branches = append(k.branches, before)
		}
		return k
	}
}

// switchBranches are the branches of a switch.
func (f *function) switchBranches(s *ast.SwitchStmt) fork {
	k := fork{ranks: f.switchRanks(s), open: true}
	for _, clause := range s.Body.List {
		c := clause.(*ast.CaseClause)
		k.branches = append(k.branches, c.Body)
		k.open = k.open && c.List != nil
	}
	if k.open {
		k.branches = append(k.branches, nil)
	}
	return k
}

// compare reports the first collective call that one branch makes and another does not.
func (f *function) compare(s ast.Stmt, k fork) {
	checked := map[place]bool{}
	for _, comm := range k.ranks {
		if checked[comm] {
			continue
		}
		checked[comm] = true
		ways, known := f.ways(s, k, comm)
		if !known {
			continue
		}
		for _, w := range ways[min(1, len(ways)):] {
			if f.differ(comm, ways[0], w) {
				break
			}
		}
	}
}

// ways lists what the ranks of each branch do until the branches meet again; not known if something is
// called that may make collective calls, too.
func (f *function) ways(s ast.Stmt, k fork, comm place) (ways []way, known bool) {
	var rest []ast.Stmt
	if slices.ContainsFunc(k.branches, func(b []ast.Stmt) bool { return ending(b) != goesOn }) {
		rest = f.rest(s, k.branches)
	}
	for _, b := range k.branches {
		switch end := ending(b); {
		case end == unclear:
			return nil, false
		case f.fails(b):
			continue
		case end == goesOn:
			b = slices.Concat(b, rest)
		}
		w, ok := f.way(comm, b)
		if !ok {
			return nil, false
		}
		ways = append(ways, w)
	}
	if n := len(ways) - 1; k.open && n > 1 && allSame(ways[:n]) {
		ways = ways[:n] // the branches may be all the ranks there are
	}
	return ways, true
}

func allSame(ways []way) bool {
	return !slices.ContainsFunc(ways, func(w way) bool { return !slices.EqualFunc(w.steps, ways[0].steps, sameOperation) })
}

// differ reports the first difference between two ways, and tells whether there is one.
func (f *function) differ(comm place, a, b way) bool {
	for _, w := range [][2]way{{a, b}, {b, a}} {
		for _, s := range w[0].steps {
			if !w[1].has(s.operation) {
				f.lonely(s, comm)
				return true
			}
		}
	}
	if !a.straight || !b.straight || len(a.others)+len(b.others) > 0 || slices.EqualFunc(a.steps, b.steps, sameOperation) {
		return false
	}
	i := 0
	for i < len(a.steps) && i < len(b.steps) && sameOperation(a.steps[i], b.steps[i]) {
		i++
	}
	switch {
	case i == len(a.steps):
		f.lonely(b.steps[i], comm)
	case i == len(b.steps):
		f.lonely(a.steps[i], comm)
	default:
		f.report(a.steps[i].at, "some ranks of %v call %s here while others call %s in line %d: all ranks must make the same collective calls in the same order. Move the calls out of the branches by rank",
			comm, a.steps[i].name, b.steps[i].name, f.line(b.steps[i].at.Pos()))
	}
	return true
}

// lonely reports a collective call that only some ranks make.
func (f *function) lonely(s step, comm place) {
	what := s.name
	if s.through != "" {
		what = s.through + ", which calls " + s.name
	}
	f.report(s.at, "only some ranks of %v come here to call %s: the way depends on the rank. %s needs all ranks, so the job hangs. Call it on all ranks, or make a communicator of these ranks with Split",
		comm, what, s.name)
}

// loop reports a collective call in a loop that ranks go through a different number of times.
func (f *function) loop(body *ast.BlockStmt, ranks []place) {
	for _, comm := range ranks {
		if w, _ := f.way(comm, body.List); len(w.steps) > 0 {
			f.report(w.steps[0].at, "the ranks of %v call %s a different number of times: the loop depends on the rank. The call needs all ranks each time, so the job hangs. Make the loop the same on all ranks",
				comm, w.steps[0].name)
		}
	}
}

// end is how a list of statements ends.
type end uint8

const (
	goesOn  end = iota // what follows is executed
	leaves             // the function
	skips              // the rest of a loop's turn
	unclear            // somewhere else
)

// ending says how a list of statements ends.
func ending(list []ast.Stmt) end {
	if len(list) == 0 {
		return goesOn
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return leaves
	case *ast.BranchStmt:
		if last.Label == nil && last.Tok == token.CONTINUE {
			return skips
		}
		return unclear
	case *ast.BlockStmt:
		return ending(last.List)
	}
	return goesOn
}

// rest lists what is executed after a statement by those who neither leave the function nor, if a branch
// skips the rest of a loop's turn, that.
func (f *function) rest(s ast.Stmt, branches [][]ast.Stmt) (all []ast.Stmt) {
	inLoop := slices.ContainsFunc(branches, func(b []ast.Stmt) bool { return ending(b) == skips })
	for p := ast.Node(s); p != nil && p != f.node; p = f.parents[p] {
		switch f.parents[p].(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if inLoop {
				return all
			}
		}
		if behind, ok := following(f.parents[p], p); ok {
			all = append(all, behind...)
		}
	}
	return all
}

// following are the statements behind one in the list that it is part of; ok is false if it is part of none.
func following(around, s ast.Node) (behind []ast.Stmt, ok bool) {
	var list []ast.Stmt
	switch around := around.(type) {
	case *ast.BlockStmt:
		list = around.List
	case *ast.CaseClause:
		list = around.Body
	case *ast.CommClause:
		list = around.Body
	}
	i := slices.IndexFunc(list, func(o ast.Stmt) bool { return o == s })
	return list[i+1:], i >= 0
}

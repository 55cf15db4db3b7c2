package vet

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// call is a call of a function or method of package mpi.
type call struct {
	*ast.CallExpr
	name string // "Isend"; methods with their type: "Request.Wait"
}

// mpiCall returns e as a call of package mpi, if it is one.
func (u *unit) mpiCall(e ast.Node) (call, bool) {
	c, ok := unparen(e).(*ast.CallExpr)
	if !ok {
		return call{}, false
	}
	f, ok := typeutil.Callee(u.pass.TypesInfo, c).(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != mpiPath {
		return call{}, false
	}
	name := f.Name()
	if recv := f.Signature().Recv(); recv != nil {
		name = typeName(recv.Type()) + "." + name
	}
	return call{c, name}, true
}

// builtinName is the name of the builtin function that a call calls; empty if it calls none.
func (u *unit) builtinName(c *ast.CallExpr) string {
	if b, ok := typeutil.Callee(u.pass.TypesInfo, c).(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// typeName is the name of a type, or of what it points to.
func typeName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// isMPI tells whether a type is the named one of package mpi, or a pointer to it.
func isMPI(t types.Type, name string) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == mpiPath
}

// isRequest tells whether an expression is a request.
func (u *unit) isRequest(e ast.Expr) bool {
	t := u.pass.TypesInfo.TypeOf(e)
	_, pointer := t.(*types.Pointer)
	return t != nil && !pointer && isMPI(t, "Request")
}

// short is the name without its type.
func (c call) short() string { return c.name[strings.LastIndexByte(c.name, '.')+1:] }

// subject is what a call is about: the receiver of a method, the first argument of a function.
func (c call) subject() ast.Expr {
	if strings.Contains(c.name, ".") {
		if s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
			return s.X
		}
		return nil
	}
	if len(c.Args) == 0 {
		return nil
	}
	return c.Args[0]
}

// initSuffix ends the names of calls whose requests Start starts.
const initSuffix = "Init"

// persists tells whether a call makes a request that Start starts; its buffers are the program's until then.
func (c call) persists() bool { return strings.HasSuffix(c.name, initSuffix) }

// operation is the call that a non-blocking one starts, or a persistent one makes: Send for Isend and SendInit,
// Put for Rput. Other names stay.
func (c call) operation() string {
	if _, known := roles[c.name]; known || collective[c.name] || len(c.name) < 2 {
		return c.name
	}
	if op, made := strings.CutSuffix(c.name, initSuffix); made && (collective[op] || roles[op] != (role{})) {
		return op
	}
	if c.name[0] == 'I' || c.name[0] == 'R' {
		if op := strings.ToUpper(c.name[1:2]) + c.name[2:]; collective[op] || roles[op] != (role{}) {
			return op
		}
	}
	return c.name
}

// role says which arguments of a call are buffers that it reads, and that it writes; 0 is none, since the
// first argument never is one.
type role struct{ reads, writes int }

// roles are the buffers of calls that take slices.
var roles = map[string]role{
	"Send": {1, 0}, "Ssend": {1, 0}, "Bsend": {1, 0}, "Rsend": {1, 0},
	"SendLayout": {1, 0}, "RecvLayout": {0, 1}, "MrecvLayout": {0, 1},
	"Recv": {0, 1}, "Mrecv": {0, 1}, "Sendrecv": {1, 4}, "SendrecvReplace": {0, 1},
	"Bcast": {0, 1}, "Reduce": {1, 2}, "Allreduce": {1, 2}, "Scan": {1, 2}, "Exscan": {1, 2},
	"ReduceScatter": {1, 2}, "ReduceScatterv": {1, 2},
	"Gather": {1, 2}, "Gatherv": {1, 2}, "Allgather": {1, 2}, "Allgatherv": {1, 2},
	"Scatter": {1, 2}, "Scatterv": {1, 4}, "Alltoall": {1, 2}, "Alltoallv": {1, 4},
	"NeighborAllgather": {1, 2}, "NeighborAllgatherv": {1, 2}, "NeighborAlltoall": {1, 2}, "NeighborAlltoallv": {1, 4},
	"AlltoallLayout": {1, 3}, "NeighborAlltoallLayout": {1, 3},
	"Put": {1, 0}, "PutLayout": {1, 0}, "Accumulate": {1, 0}, "AccumulateLayout": {1, 0}, "PutLayouts": {1, 0}, "AccumulateLayouts": {1, 0}, "GetLayouts": {0, 1},
	"Get": {0, 1}, "GetLayout": {0, 1}, "GetAccumulate": {1, 2}, "GetAccumulateLayout": {1, 2},
}

// rooted are the collectives whose buffers are another rank's concern at all ranks but the root.
var rooted = map[string]bool{"Bcast": true, "Reduce": true, "Gather": true, "Gatherv": true, "Scatter": true, "Scatterv": true}

// collective are the calls that all ranks of a communicator must make.
var collective = map[string]bool{
	"Barrier": true, "Bcast": true, "BcastValue": true, "Reduce": true, "Allreduce": true, "Scan": true, "Exscan": true,
	"ReduceScatter": true, "ReduceScatterv": true, "Gather": true, "Gatherv": true, "Allgather": true, "Allgatherv": true,
	"Scatter": true, "Scatterv": true, "Alltoall": true, "Alltoallv": true, "AlltoallLayout": true,
	"NeighborAllgather": true, "NeighborAllgatherv": true, "NeighborAlltoall": true, "NeighborAlltoallv": true, "NeighborAlltoallLayout": true,
	"CreateWindow": true, "AllocateWindow": true, "SharedWindow": true, "DynamicWindow": true,
	"Comm.Dup": true, "Comm.Split": true, "Comm.SplitShared": true, "Comm.SplitNUMA": true, "Comm.Create": true, "Comm.Cart": true, "Cart.Sub": true, "Comm.Free": true,
	"Window.Fence": true, "Window.Free": true,
}

// starts tells whether a call begins an operation that owns buffers until its request has been waited for.
func (u *unit) starts(c call) bool {
	return u.isRequest(c.CallExpr) && c.name != "Ibsend" && !c.persists()
}

// buffers are the arguments that a call reads and writes; nil where it has none.
func (c call) buffers() (reads, writes ast.Expr) {
	r := roles[c.operation()]
	if r.reads > 0 && r.reads < len(c.Args) {
		reads = c.Args[r.reads]
	}
	if r.writes > 0 && r.writes < len(c.Args) {
		writes = c.Args[r.writes]
	}
	return reads, writes
}

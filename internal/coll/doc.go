// Package coll holds the collective algorithms and chooses between them.
//
// An algorithm turns a Case (which operation, which rank of how many, how many
// bytes) into that rank's plan.Plan. Each lives in a file of its own, whose
// head states its steps, its cost, its limits and where it comes from, and is
// registered once, in table.go. In the cost formulas p is the number of ranks,
// n the bytes of the Case, a the latency of a message, b the time per byte sent
// and g the time per byte reduced; k is the number of ports (see Case.Ports).
//
// The Selector picks the algorithm whose plans cost least on a machine (see
// package model), unless a rule, a user's or one of the few exceptions, says
// otherwise (see Parse).
//
// # Buffers
//
// Plans work on In (the send buffer), Out (the receive buffer) and scratch:
//
//	Barrier        nothing
//	Bcast          Out everywhere; the root's holds the data
//	Reduce         In: vector; Out: vector, root only
//	Allreduce      In: vector; Out: vector
//	Scan, Exscan   In: vector; Out: vector (Exscan leaves rank 0's Out alone)
//	Gather(v)      In: own block; Out: a block per rank, root only
//	Scatter(v)     In: a block per rank, root only; Out: own block
//	Allgather(v)   In: own block; Out: a block per rank
//	Alltoall(v)    In: a block per rank; Out: a block per rank
//	ReduceScatter  In: a block per rank, one after the other; Out: own block
//	NeighborAllgather(v)  In: own block; Out: a block per edge in
//	NeighborAlltoall(v)   In: a block per edge out; Out: a block per edge in
//
// The block of an edge that leads nowhere is not touched. Neighbours have no
// call in place. In place means that the contribution lies where the result will be: in Out
// for the vector operations, in the own block of Out for Gather and Allgather,
// in all of Out for Alltoall and ReduceScatter (whose result then stands at
// the front of Out); Scatter in place leaves the root's block in In and does
// not touch its Out. In Reduce, Gather and Scatter it concerns the root alone,
// and other ranks' InPlace is ignored. Messages never depend on InPlace, so
// ranks need not agree on it.
//
// Algorithms that know the nodes (see Case.Nodes) may also work on Node, memory
// that the ranks of a node share, and on flags that tell each other when to read
// it; in their formulas m is the number of nodes and l that of the ranks of one.
// A plan asks for at most NodeMax bytes and FlagMax flags, and leaves nothing
// behind that the next one relies on.
//
// An operation that moves no bytes has an empty plan and does not synchronise;
// only Barrier does.
//
// The package owns the algorithms and the choice. It promises that all ranks
// which describe the same call get the same algorithm and that their plans
// pass plan.Check. It must not know datatypes, communicators or links, keeps
// no state, and neither waits nor sends: that is the business of whoever runs
// the plan.
package coll

// Package model says what collective plans cost on a machine.
//
// A Machine is eighteen numbers: what a message takes within a node and between nodes, a byte, a
// copy, a flag, a turn of ranks that share a processor. Time runs the plans of all ranks together
// on such a machine, without moving a byte, and returns when the last rank is done; Work says how
// much a node has to do, which grows with jobs too large for that.
//
// The package owns the numbers, their names and defaults, and the model. It promises that the same
// plans on the same machine take the same time on every rank. It must not know operations or
// algorithms, and what it says is no measurement: only the order of what it says of several plans
// is worth something.
package model

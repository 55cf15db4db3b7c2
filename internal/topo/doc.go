// Package topo is the arithmetic of ranks that have neighbours: places in a Cartesian grid, how many
// there are in each direction, who sends to whom in a graph, and which process comes to which place so
// that neighbours are near.
//
// It owns no communicator and sends nothing. It promises that the same arguments give the same answer
// everywhere: each rank computes for itself where all others are.
package topo

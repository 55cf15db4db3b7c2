// Package ffi calls libibverbs, the system's library for RDMA hardware, without cgo. It implements the
// interfaces of package ibv, and all of it needs the build tag rdma.
//
// It owns the library: finding it, its functions, and the memory that it gives out. Rare calls go through
// purego. Those on the way of a message go through a trampoline of a few instructions and allocate nothing;
// they cost what a call by cgo costs. Nothing in the library calls back.
//
// A program that imports this package needs libc to start, and libibverbs when a device is opened. That is
// why no other package of the library imports it: a program asks for it (docs/building/architecture.md),
// and those that do not are not even told of purego by go get.
package ffi

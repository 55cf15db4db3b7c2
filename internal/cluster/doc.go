// Package cluster makes a cluster in a box: several hosts on one Linux machine, each with its own network interfaces,
// addresses, host name, processes, shared memory and ssh server, joined by one or more switches ("rails") that can
// lose packets, be slow and be unplugged. It is what the tests between hosts run on, and what "weft cluster" shows.
//
// It owns the namespaces, the virtual wires and the ssh servers, and nothing that outlives them. A host is a set of
// namespaces whose first process is its ssh server; the switches live in a network namespace of their own. All of it
// is held by open descriptors and child processes of the process that called Up, and by nothing else: no file, no
// mount and no name is left on the machine, whose own network is not touched. So the kernel itself takes everything
// down when that process ends, however it ends. Down does the same in an orderly way.
//
// Hosts are called h0, h1 and so on. Host i has the address 10.77.r.(1+i) on rail r, its interface ethr; the name hi
// is its address on rail 0 and hi-rr that on rail r. Between hosts, ssh works as root without options. /tmp and the
// home directory are the machine's, seen by all hosts; /run, /dev/shm and ~/.ssh are private.
//
// It needs root, Linux 5.8 or later and a few ordinary programs; Missing says which are not there. It knows nothing
// of message passing.
package cluster

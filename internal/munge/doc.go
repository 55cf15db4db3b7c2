// Package munge asks the munge daemon of a cluster to vouch for its caller: Encode seals a few bytes so that only a
// given user of the cluster can open them, and Decode opens them and tells who sealed them. Schedulers such as Slurm
// run the daemon on every node, all with one key.
//
// It owns the daemon's protocol on its local socket. It promises that whatever the daemon says is checked, and that no
// call takes longer than its limit. It must not know what is sealed, nor for what.
package munge

// Package agree owns what all ranks of a job know alike: where everybody is, what every host can
// do, and which settings hold for all.
//
// Ranks that decide something together without talking, such as which algorithm a collective call
// takes, must decide from the same facts. What a process finds out by itself (how many ranks its
// host has, how many processors, what the kernel allows) is true of its own host only. So the first
// rank of each host tells it to all (Host), everybody compares its settings with those of the first
// rank (Sheet), and On makes Facts of what was told: the same on all ranks, because all make them
// of the same texts. There is no other way to make Facts, and nothing that only one host knows fits
// into them.
//
// It knows nothing of where the texts are exchanged, and keeps no state.
package agree

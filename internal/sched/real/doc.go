// Package real has Weft's programs started by real schedulers: a Slurm of several hosts in a box, with its munge. It
// holds tests and what they share alone, and knows the cluster, the scheduler and the library's face.
//
// The tests run with -real, which make slurm sets.
package real

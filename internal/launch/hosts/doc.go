// Package hosts reads the lists of hosts that users write and says which rank of a job runs where.
//
// It owns the two notations that launchers have taught people ("h1:2" and "h1 slots=2"), the meaning of a slot, and the
// value of PMI_process_mapping that follows from a placement. It promises that whatever it accepts names a host that
// can safely stand on a command line. It must not know how a host is reached, nor start anything on it.
package hosts

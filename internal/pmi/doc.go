// Package pmi speaks the PMI-1 process-manager protocol: short text lines of key=value words by which the ranks of a
// job find out who they are, exchange addresses and meet before the first real message flows.
//
// It owns the codec (Message, Reader), the rank's half (Client) and the manager's half (Server). The client works
// against any PMI-1 manager, among them hydra and Slurm (--mpi=pmi2 serves PMI-1 on the same socket). The server is a
// pure state machine: a message of one rank goes in, messages to ranks come out; it reads no socket and starts no
// goroutine.
//
// A few commands beginning with weft_ extend the protocol. They travel only between Weft's own launcher and Weft's
// own ranks, who know each other by WEFT_LAUNCHER=1 in the environment; see Stall, Client.LastWords and Client.OnDump.
//
// The package must not know how processes are started, how addresses look, or what an MPI operation is.
package pmi

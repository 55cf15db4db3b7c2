// Package sim is a cluster in virtual time behind the verbs seam: nodes, their network interfaces, the
// switches between them, what processors are charged with, and what can go wrong.
//
// It owns the model: every interface has an engine, a bus and a wire, each a queue that serves in order; a
// message passes them and arrives when the slowest lets it. What things cost is data (Profile): every
// parameter says where it comes from. It promises that nothing depends on the machine it runs on: the same
// program on the same cluster does the same things at the same nanoseconds, and that bytes move at the
// moment at which the interface would move them.
//
// All calls are for the one task or event of the scheduler that runs, or for the time before and after Run;
// there are no locks. It must not know MPI, nor who uses the devices.
package sim

// Package cm speaks to the kernel's connection manager for RDMA, which iWARP devices need: its file, its
// commands, its events (ABI 4 of rdma_user_cm.h). No library is needed.
//
// It owns the file and the formats. Commands return when the kernel has taken them, what becomes of them is
// an event. Nothing here waits for an event: the file goes into a poller. It knows nothing of queue pairs
// but their numbers.
package cm

// File is where the connection manager is.
const File = "/dev/infiniband/rdma_cm"

// ID is the kernel's number of a connection, or of a listener.
type ID uint32

// Package mpi is message passing between the ranks of a parallel program: point-to-point messages,
// collectives and one-sided operations over slices of any pointer-free type, without cgo and without a system MPI.
//
//	func main() { mpi.Main(run) }
//
//	func run(world *mpi.Comm) error {
//		local := []float64{float64(world.Rank())}
//		sum := make([]float64, 1)
//		if err := mpi.Allreduce(world, local, sum, mpi.Sum); err != nil {
//			return err
//		}
//		fmt.Println("rank", world.Rank(), "of", world.Size(), "sum", sum[0])
//		return nil
//	}
//
// Run it with
//
//	weft run -n 4 ./prog
//
// A program started without a launcher is a job of one rank. [Run] makes ranks of goroutines in one process,
// for tests and examples.
//
// # Calls
//
// Calls that move data are functions, because Go has no generic methods; the communicator comes first. A
// buffer is a slice and brings its type and length; names that move encoded values end in Value, so that the
// cost shows. Tags are 0 to [MaxTag]. Any number of goroutines may call at the same time; as in the MPI
// standard, collectives on one communicator must be called in the same order by all its ranks.
//
// A nil send buffer in a reduction, gather or all-to-all means "in place": the contribution lies in the
// receive buffer, where the result will be. In [Scatter] it is the receive buffer of the root that may be nil.
//
// # Buffers
//
// A blocking call owns its buffers until it returns, with or without an error, a non-blocking one
// until its [Request] has been waited for. Until then the library keeps the buffer alive; the
// program leaves it alone (a send buffer may be read).
//
// # Windows
//
// A [Window] is memory that ranks let each other read, write and change atomically without doing anything for it: [Put], [Get],
// [Accumulate], [FetchOp] and others, between two calls of [Window.Fence] or while a target is locked.
//
// # Errors
//
// Every error is an *[Error] that names operation, communicator, peer and cause. Match classes with
// errors.Is: [ErrTruncate], [ErrRank], [ErrTag], [ErrType], [ErrComm], [ErrCount], [ErrRoot], [ErrOp],
// [ErrRequest], [ErrMismatch], [ErrAborted] and the others in this package, or the cause of a context.
//
// # Cancellation
//
// Calls through [Comm.WithContext] end when the context does. When a call has returned, its buffers
// are the program's, whatever it returned. So a message that has met no receive is withdrawn, with
// the receiver's consent, and a receive that has met no message too; the call returns the context's
// cause then, and nothing has been sent or received. A transfer that has begun is waited for, and
// the call succeeds: no message is lost without a word. [Wait] and [Waitall] do the same for
// requests that were started through such a handle; [Waitany] and [Waitsome] leave them active.
// [Request.Cancel] withdraws a single one. A peer answers when it calls the library, or in the
// background, unless WEFT_PROGRESS=poll; a peer that is lost, and the end of the job, end the wait
// too.
//
// After a cancelled collective the ranks disagree about what has happened, so the communicator is
// given up: calls on it that are under way end with [ErrProcFailed] or [ErrGivenUp], at all of its
// ranks, and later ones with [ErrGivenUp]. Free it: [Comm.Free] then waits for nobody. Other
// communicators are not concerned.
package mpi

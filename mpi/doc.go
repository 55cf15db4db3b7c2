// Package mpi is message passing between the ranks of a parallel program: point-to-point messages,
// collectives and one-sided operations over slices of any pointer-free type, without cgo and
// without a system MPI.
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
// # Ranks and communicators
//
// A parallel program is one program that runs several times. Each copy is a rank with a number, and
// a communicator ([Comm]) is a group of ranks whose messages meet no others. [Main] joins the job
// and calls the program's function with the communicator of all ranks. A program started without a
// launcher is a job of one rank. [Run] makes ranks of goroutines in one process, for tests and
// examples.
//
// # Calls
//
// Calls that move data are functions, because Go has no generic methods; the communicator comes
// first. A buffer is a slice and brings its type and length; names that move encoded values end in
// Value, so that the cost shows. Tags are 0 to [MaxTag]. Any number of goroutines may call at the
// same time.
//
// Calls such as [Isend] and [Iallreduce] only start an operation, and return a [Request] to wait
// for. A collective, such as [Barrier], [Bcast] or [Allreduce], is called by all ranks of the
// communicator, in the same order. A nil send buffer in a reduction, gather or all-to-all means "in
// place": the contribution lies in the receive buffer, where the result will be. In [Scatter] it is
// the receive buffer of the root that may be nil.
//
// # Buffers
//
// A blocking call owns its buffers until it returns, with or without an error; a non-blocking one
// until its [Request] has been waited for. Until then the program may read a send buffer, and
// leaves a receive buffer alone. The library keeps buffers alive meanwhile.
//
// # Windows
//
// A [Window] is memory that ranks let each other read, write and change atomically without doing
// anything for it: [Put], [Get], [Accumulate], [FetchOp] and others, between two calls of
// [Window.Fence] or while a target is locked.
//
// # Errors
//
// Every error is an *[Error] that names operation, communicator, peer and cause. Match classes with
// errors.Is: [ErrTruncate], [ErrRank], [ErrTag], [ErrType], [ErrComm], [ErrCount], [ErrRoot],
// [ErrOp], [ErrRequest], [ErrMismatch], [ErrAborted] and the others in this package, or the cause
// of a context.
//
// # Cancellation
//
// Calls through [Comm.WithContext] end when the context does, in one of two ways. If the message
// has met no receive, or the receive no message, it is withdrawn: the call returns the context's
// cause, and nothing has been sent or received. If the transfer has begun, it is waited for, and
// the call succeeds; a message in parts counts as begun once it is started. So no message is lost
// without a word, and when the call has returned, its buffers are the program's.
//
// [Wait] and [Waitall] do the same for requests that were started through such a handle; [Waitany]
// and [Waitsome] leave them active. [Request.Cancel] withdraws a single one. The receiver has to
// agree before a message is withdrawn. It does so when it calls the library, or in the background,
// unless WEFT_PROGRESS=poll; the end of the receiver or of the job ends the wait too.
//
// After a cancelled collective the ranks disagree about what has happened, so the communicator is
// given up: calls on it that are under way end with [ErrProcFailed] or [ErrGivenUp], at all of its
// ranks, and later ones with [ErrGivenUp]. Free it: [Comm.Free] then waits for nobody. Other
// communicators are not concerned. A cancelled [Comm.CreateGroup], or [Comm.Intercomm] over a bridge,
// leaves the communicator as it is, but for such calls: those end with [ErrGivenUp].
package mpi

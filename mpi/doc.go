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
// A blocking call owns its buffers until it returns, a non-blocking one until its [Request] has been waited
// for. Until then the library keeps the buffer alive; the program leaves it alone (a send buffer may be read).
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
// Calls through [Comm.WithContext] return when the context ends. A receive or probe that has met no message
// is withdrawn; a transfer that has begun runs to its end in the background although the call has returned
// the context's error, so its buffer must not be reused. After a cancelled collective the ranks disagree
// about what has happened: free the communicator or end the program.
package mpi

// Package rxe works on the queues of rxe, the kernel's software RoCE, itself: work is posted and completions are taken
// without a call of the library, as memory that the kernel shares (rdma_user_rxe.h). What is rare, and datagrams, whose way
// only the library knows, is left to the driver below.
//
// It owns the layout of those queues, and stands between a driver and its user, behind the same interface (package ibv).
// Where memory does not look as it should, the driver below is used for all. It knows nothing of how the memory was found.
package rxe

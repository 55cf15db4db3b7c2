// Package rdma lets a program use RDMA adapters: InfiniBand, RoCE and iWARP, as far as Linux and its libibverbs know them.
// Import it for that alone,
//
//	import _ "github.com/weft-mpi/weft/mpi/rdma"
//
// build the program with
//
//	go build -tags rdma
//
// and choose the adapter with the setting WEFT_DEVICE. Without the tag the package is empty: the program is static as
// always, and WEFT_DEVICE says what is missing. With it, it is linked dynamically, without cgo, and needs rdma-core only
// when WEFT_DEVICE asks for an adapter. The tag works on Linux, amd64 and arm64.
package rdma

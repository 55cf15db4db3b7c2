//go:build rdma && linux && (amd64 || arm64)

package rdma

import (
	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ffi"
)

func init() { boot.Adapters.Open = ffi.Open }

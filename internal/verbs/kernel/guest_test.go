//go:build rdma && linux && (amd64 || arm64)

package kernel_test

import (
	"net/netip"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/kernel"
	"github.com/weft-mpi/weft/internal/verbs/kernel/ffi"
	"github.com/weft-mpi/weft/internal/verbs/kernel/sysfs"
	"github.com/weft-mpi/weft/internal/verbs/verbstest"
)

// TestRealDevice holds the device to the seam on a driver of the kernel's. WEFT_RDMA_DEVICE names it; with WEFT_LAB_RDMA_LIBRARY=on no
// queue is worked on directly. `make rdma` runs it in its guest.
func TestRealDevice(t *testing.T) {
	name := os.Getenv("WEFT_RDMA_DEVICE")
	if name == "" {
		t.Skip("needs an RDMA device: make interop")
	}
	all, err := sysfs.Devices(os.DirFS("/sys"))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(d sysfs.Device) bool { return d.Name == name })
	if i < 0 {
		t.Fatalf("the kernel has no device %s but %+v", name, all)
	}
	ports, err := kernel.Ports(all[i], kernel.DefaultChoice(), nil, netip.IPv6Loopback())
	if err != nil {
		t.Fatal(err)
	}
	library := os.Getenv("WEFT_LAB_RDMA_LIBRARY") == "on"
	verbstest.Run(t, func(tb testing.TB, n int) []verbs.Device {
		tb.Helper()
		var devs []verbs.Device
		for range n {
			ctx, err := ffi.Open(name, library)
			if err != nil {
				tb.Fatal(err)
			}
			// The guest is an emulated machine, and slow.
			d, err := kernel.Open(kernel.Config{Context: ctx, IWARP: all[i].IWARP, Ports: ports, Key: []byte("a key that the processes of a job share"), ConnectWait: 120e9})
			if err != nil {
				tb.Fatal(err)
			}
			devs = append(devs, d)
		}
		return devs
	}, verbstest.Options{Crowd: 100, Patience: 2 * time.Minute, Seed: *seed})
}

package mpi_test

import (
	"net/netip"
	"os"
	"strings"

	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/verbs/kernel/fake"
	_ "github.com/weft-mpi/weft/mpi/rdma" // with the tag rdma, WEFT_DEVICE may name a device of this host
)

// onFakes: with WEFT_DEVICE=fake0 the tests of this package run over RDMA devices whose driver is made of Go. Ranks of one
// process can share it, and it allocates.
var onFakes = strings.HasPrefix(os.Getenv("WEFT_DEVICE"), "fake")

func init() {
	if onFakes {
		useFakes(fake.Habits{})
	}
}

func useFakes(h fake.Habits) {
	host := &fake.Host{Fabric: fake.New(h), Devices: map[string]netip.Addr{"fake0": netip.MustParseAddr("127.0.0.1"), "fake1": netip.MustParseAddr("127.0.0.1")}}
	boot.Adapters = boot.Hardware{Sys: host.Sys(), Open: host.Open}
}

//go:build !linux

package perf

import (
	"net/netip"

	"github.com/weft-mpi/weft/internal/socket"
)

type rawTarget struct{}

func target(netip.AddrPort) rawTarget { return rawTarget{} }

func sendTo(int, []byte, *rawTarget) error { return socket.ErrNotSupported }

func recvFrom(int, []byte, *rawTarget) (int, error) { return 0, socket.ErrNotSupported }

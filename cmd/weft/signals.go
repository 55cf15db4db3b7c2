package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/weft-mpi/weft/internal/launch"
	"golang.org/x/sys/unix"
)

// endSignals are those that ask a command to end, unless it was started to ignore them.
func endSignals() []os.Signal { return launch.Heeded(unix.SIGINT, unix.SIGTERM, unix.SIGHUP) }

// untilSignal returns a context that ends when somebody asks for it.
func untilSignal() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), endSignals()...)
}

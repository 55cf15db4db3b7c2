package launchtest

import (
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// HeedSignals has the processes that a test starts heed all signals, whatever nohup, or a shell
// that runs tests in the background, has told the test to ignore: what is ignored is inherited,
// what is caught is not. The test itself does not act on them either way. Other signals than these
// two a Go program catches from its start.
func HeedSignals() {
	for _, s := range []os.Signal{unix.SIGHUP, unix.SIGINT} {
		if signal.Ignored(s) {
			signal.Notify(make(chan os.Signal, 1), s) // nobody reads it
		}
	}
}

package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/bench"
	"github.com/weft-mpi/weft/internal/boot"
	"github.com/weft-mpi/weft/internal/verbs"
	"github.com/weft-mpi/weft/internal/verbs/perf"
	"github.com/weft-mpi/weft/internal/verbs/soft"
	"golang.org/x/sys/unix"
)

// verbsCommand is `weft verbs`: RDMA between two processes, measured. It returns the exit code.
func verbsCommand(args []string) int {
	o, err := parseVerbs(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return showHelp("verbs")
	case err != nil:
		fmt.Fprintf(os.Stderr, "weft verbs: %v\n(`weft verbs -h` shows the options)\n", err)
		return codeUsage
	}
	ctx, stop := untilSignal()
	defer stop()
	local, err := o.local()
	switch {
	case err != nil:
	case o.server:
		err = verbsServe(ctx, o, local)
	default:
		if warning := bench.Observe().Warning(); warning != "" {
			fmt.Fprintf(os.Stderr, "weft verbs: %s\n", warning)
		}
		err = verbsMeasure(ctx, o, local)
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, unix.EPIPE):
		return 1 // the reader of our output has left; there is nobody to tell
	case ctx.Err() != nil:
		fmt.Fprintln(os.Stderr, "weft verbs: interrupted")
		return 130
	}
	fmt.Fprintf(os.Stderr, "weft verbs: %v\n", err)
	return 1
}

// local is what both ends need: how to open the device, and the key.
func (o *verbsOptions) local() (perf.Local, error) {
	var key []byte
	if o.key != "" {
		var err error
		if key, err = readKey(o.key); err != nil {
			return perf.Local{}, err
		}
	}
	open := func(w perf.Way, at netip.Addr) (verbs.Device, error) {
		if o.device != softDevice {
			return openAdapter(boot.Adapters, o.device, at, key)
		}
		return soft.Open(soft.Config{Rails: []netip.Addr{at}, Key: key, KeyedDatagrams: len(key) > 0, NoCRC: w.NoCRC, Markers: w.Markers,
			NoAlign: true, NoOffload: w.NoOffload, ShareSockets: w.Share, Datagram: w.Datagram}) // the peer is one of us
	}
	return perf.Local{Open: open, Key: key, Gentle: o.gentle}, nil
}

// Limits on a key file: shorter is guessed, longer is surely the wrong file.
const (
	shortestKey = 16
	longestKey  = 4096
)

// readKey reads a secret. Who else may read the file is its owner's decision, but not everybody.
func readKey(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("--key-file: %w", err)
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("--key-file %s: not a file", path)
	case info.Mode().Perm()&0o007 != 0:
		return nil, fmt.Errorf("--key-file %s: everybody can use it; chmod 600 it", path)
	case info.Size() < shortestKey || info.Size() > longestKey:
		return nil, fmt.Errorf("--key-file %s: a key has %d to %d bytes, this has %d", path, shortestKey, longestKey, info.Size())
	}
	return os.ReadFile(path)
}

// verbsServe waits for clients.
func verbsServe(ctx context.Context, o *verbsOptions, local perf.Local) error {
	bind := o.bind
	if !bind.IsValid() {
		bind = netip.IPv6Unspecified()
	}
	s := &perf.Server{Local: local, Bind: netip.AddrPortFrom(bind, uint16(o.port)), Test: o.test.Name}
	s.Log = func(line string) { fmt.Fprintln(os.Stderr, "weft verbs: "+line) }
	if !o.child {
		s.On = func(at net.Addr) { fmt.Fprintf(os.Stderr, "weft verbs: waiting for clients on %v\n", at) }
		return s.Serve(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // ends when the starter does
		cancel()
	}()
	s.Log = nil
	s.On = func(at net.Addr) { fmt.Println(at) }
	return s.Serve(ctx)
}

// startServer starts the other end on this host. It returns where it can be reached and what ends it.
func startServer(ctx context.Context, o *verbsOptions) (address string, end func(), err error) {
	program, err := os.Executable()
	if err != nil {
		return "", nil, fmt.Errorf("cannot find the weft program to start the other end: %w", err)
	}
	bind := o.bind
	if !bind.IsValid() {
		bind = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	args := []string{"verbs", "--server", "--child", "--port", "0", "--bind", bind.String(), "-d", o.device}
	if o.key != "" {
		args = append(args, "--key-file", o.key)
	}
	if o.gentle {
		args = append(args, "--gentle")
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(unix.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return "", nil, fmt.Errorf("cannot start the other end: %w", err)
	}
	end = func() {
		_ = stdin.Close() // tells it to end
		_ = cmd.Wait()    // how it ended does not matter any more
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		end()
		return "", nil, errors.New("the other end did not start")
	}
	return strings.TrimSpace(line), end, nil
}

// verbsMeasure is the client.
func verbsMeasure(ctx context.Context, o *verbsOptions, local perf.Local) error {
	if o.test.Name == "reg" {
		return verbsRegister(ctx, o, local)
	}
	name := o.test.Name
	if o.suite {
		name = "suite"
	}
	server, from := net.JoinHostPort(o.host, strconv.Itoa(o.port)), o.bind
	if o.host == "" {
		address, end, err := startServer(ctx, o)
		if err != nil {
			return err
		}
		defer end()
		server = address
	}
	s, err := perf.Dial(ctx, server, from, name, local)
	if err != nil {
		return err
	}
	defer s.Close()
	switch {
	case o.suite:
		return verbsSuite(ctx, o, s)
	case name == "ping":
		return verbsPing(ctx, o, s)
	case name == "mem":
		return verbsMemory(ctx, o, s)
	case o.compare != "":
		return verbsCompare(ctx, o, s)
	}
	return verbsPlain(ctx, o, s)
}

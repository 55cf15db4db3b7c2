package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/doctor"
	"github.com/weft-mpi/weft/internal/launch/hosts"
	"github.com/weft-mpi/weft/internal/launch/ssh"
	"github.com/weft-mpi/weft/internal/usage"
)

const doctorAbout = `
Finds what would keep a job from running well, on this host or between several.

  weft doctor                     examine this host
  weft doctor --host h1,h2        examine these hosts, and every way between them
  weft doctor --hostfile FILE     the same for the hosts of a file

Each finding is ok, warn (a job runs, but may be slow) or fail (it does not). The exit code is 1 if anything fails.
`

// aboutDoctor describes "weft doctor".
func aboutDoctor() usage.Command {
	return usage.Command{Forms: []string{"[options]"}, About: doctorAbout, Groups: flagGroup(new(doctorOptions).flags(new(doctorWords)))}
}

// doctorOptions is a command line of "weft doctor".
type doctorOptions struct {
	agent, json, verbose bool
	order                doctor.Order
}

// doctorWords are options as they were written.
type doctorWords struct{ list, file, ports, command string }

func (o *doctorOptions) flags(w *doctorWords) *flag.FlagSet {
	f := newFlags("doctor")
	f.BoolVar(&o.agent, "agent", false, "")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.BoolVar(&o.verbose, "v", false, "show what is well, too, and every path")
	f.IntVar(&o.order.Ranks, "ranks", 0, "`N` ranks on each host, if the host list has no slots")
	o.order.Patience = 3 * time.Second
	f.Func("patience", "wait for this `TIME` for an answer from another host (default 3)", anyTime(&o.order.Patience))
	f.StringVar(&w.list, "host", "", "`HOST[:N],...`: examine these hosts, and every way between them")
	f.StringVar(&w.file, "hostfile", "", "the same for the hosts of a `FILE`")
	f.StringVar(&w.ports, "port-range", "", "`FIRST-LAST`: try ports of this range, as weft run does")
	f.StringVar(&w.command, "ssh", os.Getenv("WEFT_SSH"), "reach hosts with this `COMMAND` instead of ssh (also WEFT_SSH)")
	return f
}

func parseDoctor(args []string) (*doctorOptions, error) {
	o, w := &doctorOptions{}, &doctorWords{}
	flags := o.flags(w)
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case flags.NArg() > 0:
		return nil, fmt.Errorf("%q is not understood", flags.Arg(0))
	case o.order.Ranks < 0:
		return nil, fmt.Errorf("there cannot be %d ranks on a host", o.order.Ranks)
	case o.order.Patience < 100*time.Millisecond || o.order.Patience > time.Minute:
		return nil, fmt.Errorf("--patience must be 100ms to 1m, not %v", o.order.Patience)
	case w.list != "" && w.file != "":
		return nil, errors.New("--host and --hostfile exclude each other")
	}
	var err error
	if o.order.Ports, err = parsePortRange(w.ports); err != nil {
		return nil, err
	}
	if o.order.Hosts, err = readHosts(w.list, w.file); err != nil {
		return nil, err
	}
	o.order.Remote = remote(w.command)
	return o, nil
}

func readHosts(list, file string) ([]hosts.Host, error) {
	switch {
	case list != "":
		return hosts.Parse(list)
	case file != "":
		return readHostFile(file)
	}
	return nil, nil
}

// remote says how to reach other hosts.
func remote(command string) doctor.Remote {
	own, _ := os.Executable() // without it there is still the name that everybody has
	return doctor.Remote{
		SSH:     strings.Fields(command),
		Weft:    ssh.Names(own),
		Limit:   30 * time.Second,
		Version: version(),
	}
}

// parsePortRange reads "20000-20100" or "20000"; nothing is the kernel's choice.
func parsePortRange(text string) (doctor.Ports, error) {
	if text == "" {
		return doctor.Ports{}, nil
	}
	low, high, found := strings.Cut(text, "-")
	if !found {
		high = low
	}
	first, err1 := strconv.ParseUint(low, 10, 16)
	last, err2 := strconv.ParseUint(high, 10, 16)
	if err1 != nil || err2 != nil || first == 0 || last < first {
		return doctor.Ports{}, fmt.Errorf("%q is no range of ports; write 20000-20100", text)
	}
	return doctor.Ports{First: uint16(first), Last: uint16(last)}, nil
}

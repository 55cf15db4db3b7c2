package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/weft-mpi/weft/internal/doctor"
	"github.com/weft-mpi/weft/internal/launch/hosts"
	"github.com/weft-mpi/weft/internal/launch/ssh"
)

const doctorHelp = `weft doctor finds what would keep a job from running well, on this host or between several.

  weft doctor                     examine this host
  weft doctor --host h1,h2        examine these hosts, and every way between them
  weft doctor --hostfile FILE     the same for the hosts of a file
      --port-range 20000-20100    try ports of this range, as weft run does
      --ranks N                   ranks on each host, if the host list has no slots
      --ssh COMMAND               reach hosts with this instead of ssh (also WEFT_SSH)
      --patience 3s               wait so long for an answer from another host
      -v                          show what is well, too, and every path
      --json                      write JSON

Each finding is ok, warn (a job runs, but may be slow) or fail (it does not). The exit code is 1 if anything fails.
`

// doctorOptions is a command line of "weft doctor".
type doctorOptions struct {
	agent, json, verbose bool
	order                doctor.Order
}

func parseDoctor(args []string) (*doctorOptions, error) {
	o := &doctorOptions{}
	flags := flag.NewFlagSet("weft doctor", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&o.agent, "agent", false, "")
	flags.BoolVar(&o.json, "json", false, "")
	flags.BoolVar(&o.verbose, "v", false, "")
	flags.IntVar(&o.order.Ranks, "ranks", 0, "")
	flags.DurationVar(&o.order.Patience, "patience", 3*time.Second, "")
	list := flags.String("host", "", "")
	file := flags.String("hostfile", "", "")
	ports := flags.String("port-range", "", "")
	command := flags.String("ssh", os.Getenv("WEFT_SSH"), "")
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
	case *list != "" && *file != "":
		return nil, errors.New("--host and --hostfile exclude each other")
	}
	var err error
	if o.order.Ports, err = parsePortRange(*ports); err != nil {
		return nil, err
	}
	if o.order.Hosts, err = readHosts(*list, *file); err != nil {
		return nil, err
	}
	o.order.Remote = remote(*command)
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

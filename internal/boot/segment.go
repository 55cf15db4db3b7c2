package boot

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/clock"
	"github.com/weft-mpi/weft/internal/pmi"
	"github.com/weft-mpi/weft/internal/shm"
)

// Segments returns a function that makes the shared segment of a job of n ranks on this host with these
// settings; a launcher passes the segment on to the ranks.
func Segments(set *Settings) func(n int) (*os.File, error) {
	return func(n int) (*os.File, error) { return shm.Create(shm.GeometryFor(n, set.Arena, set.Commons)) }
}

// Keys under which ranks that another launcher has started tell each other where they are.
func hostKey(rank int) string      { return fmt.Sprintf("weft-host-%d", rank) }
func segmentKey(leader int) string { return fmt.Sprintf("weft-segment-%d", leader) }

// segmentFile gets hold of the host's segment: inherited from weft run, or from the first rank on the host,
// which makes it.
func segmentFile(p *place, client *pmi.Client, set *Settings) (*os.File, error) {
	if p.starter == byWeft {
		if !isOpen(p.shmFD) {
			return nil, badSegment(*p, errors.New("is not open"))
		}
		return os.NewFile(uintptr(p.shmFD), "weft-segment"), nil
	}
	if err := p.findNeighbours(client); err != nil {
		return nil, fmt.Errorf("%w: which ranks share a host: %w", ErrLauncher, err)
	}
	leader := p.local[0]
	if p.rank != leader {
		return openLeaders(leader, client)
	}
	f, err := shm.Create(shm.GeometryFor(len(p.local), set.Arena, set.Commons))
	if err != nil {
		return nil, err
	}
	if err := client.Put(segmentKey(leader), fmt.Sprintf("%d:%d", os.Getpid(), f.Fd())); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLauncher, err)
	}
	if err := twice(client.Barrier); err != nil { // the second barrier: everybody has opened it
		return nil, fmt.Errorf("%w: %w", ErrLauncher, err)
	}
	return f, nil
}

// findNeighbours finds out which ranks are on this host: those that see the same processes. Its
// processors are those that any of them may use: a launcher that binds ranks shows each its own
// share only. The first rank asks all others and tells all at once: a launcher that has to answer
// everybody about everybody answers a thousand ranks for minutes.
func (p *place) findNeighbours(client meeting) error {
	own, err := hostID()
	if err != nil {
		return err
	}
	mine, err := clock.AllowedCPUs()
	if err != nil {
		return err
	}
	if err := client.Put(hostKey(p.rank), own+"/"+pmi.FormatRanks(mine)); err != nil {
		return err
	}
	if err := client.Barrier(); err != nil {
		return err
	}
	if p.rank == 0 {
		hosts, err := askAll(client, p.size)
		if err == nil {
			err = putLong(client, hostsKey, formatHosts(hosts))
		}
		if err != nil {
			return err
		}
	}
	if err := client.Barrier(); err != nil {
		return err
	}
	text, err := getLong(client, hostsKey)
	if err != nil {
		return err
	}
	return p.among(text)
}

// hostsKey is the name of the list of all hosts, and hostKey that of what a rank says of its own.
const hostsKey = "weft-hosts"

// manned is a host with its ranks, and the processors that these may use.
type manned struct{ ranks, cpus []int }

// askAll reads what all ranks say of their hosts, which come in the order of their first ranks.
func askAll(client board, size int) (hosts []manned, err error) {
	known := map[string]int{}
	for rank := range size {
		text, found, err := client.Get(hostKey(rank))
		if err != nil || !found {
			return nil, fmt.Errorf("rank %d does not say: %w", rank, cmp.Or(err, errUnsaid))
		}
		id, list, _ := strings.Cut(text, "/")
		cpus, err := pmi.ParseRanks(list, cpusMax)
		if err != nil {
			return nil, fmt.Errorf("the processors of rank %d: %w", rank, err)
		}
		i, seen := known[id]
		if !seen {
			i = len(hosts)
			known[id] = i
			hosts = append(hosts, manned{})
		}
		h := &hosts[i]
		h.ranks = append(h.ranks, rank)
		h.cpus = append(h.cpus, cpus...)
		slices.Sort(h.cpus)
		h.cpus = slices.Compact(h.cpus)
	}
	return hosts, nil
}

// formatHosts writes hosts as RANKS/PROCESSORS, with colons between them.
func formatHosts(hosts []manned) string {
	var words []string
	for _, h := range hosts {
		words = append(words, pmi.FormatRanks(h.ranks)+"/"+pmi.FormatRanks(h.cpus))
	}
	return strings.Join(words, ":")
}

// among finds our host in what formatHosts has written.
func (p *place) among(text string) error {
	all := strings.Split(text, ":")
	for i, word := range all {
		ranks, cpus, _ := strings.Cut(word, "/")
		local, err := pmi.ParseRanks(ranks, p.size)
		if err != nil {
			return fmt.Errorf("host %d: %w", i, err)
		}
		if !slices.Contains(local, p.rank) {
			continue
		}
		theirs, err := pmi.ParseRanks(cpus, cpusMax)
		if err != nil {
			return fmt.Errorf("the processors of host %d: %w", i, err)
		}
		p.hosts, p.node, p.local, p.cpus = len(all), i, local, max(len(theirs), 1)
		return nil
	}
	return fmt.Errorf("no host has rank %d", p.rank)
}

// cpusMax is more than the numbers of processors that the kernel gives.
const cpusMax = 1 << 14

// hostID is the same for processes that can reach each other's descriptors: one kernel, one namespace of processes, one
// user.
func hostID() (string, error) {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", err
	}
	var st unix.Stat_t
	if err := unix.Stat("/proc/self/ns/pid", &st); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s.%d.%d", strings.TrimSpace(string(boot)), st.Ino, os.Getuid()), nil
}

// badSegment says that what the launcher has passed on as the job's segment is none, or has no room
// here, and what to do.
func badSegment(p place, err error) error {
	if errors.Is(err, unix.ENOMEM) {
		return fmt.Errorf("%w: the shared memory of the ranks on this host %w. The address space of the process is too small for it: lower "+
			"WEFT_ARENA or WEFT_COLL_NODE, which every rank has of its own, or raise ulimit -v", ErrLauncher, err)
	}
	if p.starter != byWeft {
		return fmt.Errorf("%w: rank %d's segment %w", ErrLauncher, p.local[0], err)
	}
	return fmt.Errorf("%w: file descriptor %d of WEFT_SHM_FD %w. Nothing between weft run and the program may close or "+
		"replace its descriptors; unset WEFT_LAUNCHER and PMI_FD to run alone", ErrLauncher, p.shmFD, err)
}

func twice(f func() error) error {
	if err := f(); err != nil {
		return err
	}
	return f()
}

// openLeaders opens the segment through the descriptor of the first rank on the host.
func openLeaders(leader int, client *pmi.Client) (*os.File, error) {
	if err := client.Barrier(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLauncher, err)
	}
	where, found, err := client.Get(segmentKey(leader))
	if err != nil || !found {
		return nil, fmt.Errorf("%w: rank %d has not published the shared segment: %w", ErrLauncher, leader, cmp.Or(err, errUnsaid))
	}
	pid, fd, _ := strings.Cut(where, ":")
	if _, err := strconv.Atoi(pid + fd); err != nil {
		return nil, fmt.Errorf("%w: rank %d published %q", ErrLauncher, leader, where)
	}
	path := fmt.Sprintf("/proc/%s/fd/%s", pid, fd)
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("%w: rank %d's shared memory is out of reach: %w", ErrLauncher, leader, err)
	}
	if err := client.Barrier(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLauncher, err)
	}
	return f, nil
}

func isOpen(fd int) bool {
	_, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
	return err == nil
}

package cluster

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// sockets is what the names of keepers' sockets begin with; the @ says that there is no file.
const sockets = "@weft-cluster/"

var names = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

func socketOf(name string) (*net.UnixAddr, error) {
	if !names.MatchString(name) {
		return nil, fmt.Errorf("%q is no name for a cluster; use up to 40 letters, digits, - and _", name)
	}
	return &net.UnixAddr{Net: "unix", Name: sockets + name}, nil
}

// Create makes a named cluster that outlives this process. keeper is a command that calls Keep with its standard
// input and output; Create starts it. If this process ends before Create returns, nothing is left.
func Create(name string, config Config, keeper *exec.Cmd) (Status, error) {
	if _, err := config.checked(); err != nil {
		return Status{}, err
	}
	orders, err := keeper.StdinPipe()
	if err != nil {
		return Status{}, err
	}
	answers, err := keeper.StdoutPipe()
	if err != nil {
		return Status{}, err
	}
	keeper.Dir = "/"
	keeper.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	// What this process has inherited, a lock or the end of a pipe, must not stay open for as long as the
	// cluster. Kernels before 5.11 cannot tell the keeper to leave it.
	_ = unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
	if err := keeper.Start(); err != nil {
		return Status{}, fmt.Errorf("start the keeper: %w", err)
	}
	defer orders.Close()
	words := json.NewEncoder(orders)
	if err := words.Encode(order{name, config}); err != nil {
		return Status{}, errors.Join(fmt.Errorf("order the cluster: %w", err), keeper.Wait())
	}
	var r reply
	if err := json.NewDecoder(answers).Decode(&r); err != nil {
		return Status{}, errors.Join(fmt.Errorf("hear from the keeper: %w", err), keeper.Wait())
	}
	if r.Error != "" {
		// What the process says at its end is known already.
		_ = keeper.Wait()
		return Status{}, errors.New(r.Error)
	}
	if err := words.Encode(true); err != nil {
		return Status{}, fmt.Errorf("confirm the cluster: %w", err)
	}
	return r.Status, nil
}

// Ask sends a request to the keeper of a named cluster and returns what the cluster is like after it. OpEnd returns
// when the keeper has ended.
func Ask(name string, r Request) (Status, error) {
	address, err := socketOf(name)
	if err != nil {
		return Status{}, err
	}
	conn, err := net.DialUnix("unix", nil, address)
	if err != nil {
		return Status{}, fmt.Errorf("there is no cluster %q (%w); make one with weft cluster up", name, err)
	}
	defer conn.Close()
	pid, err := peer(conn)
	if err != nil {
		return Status{}, fmt.Errorf("cluster %q: %w", name, err)
	}
	keeper, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return Status{}, fmt.Errorf("cluster %q: its keeper has ended: %w", name, err)
	}
	defer unix.Close(keeper)
	// A host may take its time to boot.
	if err := conn.SetDeadline(time.Now().Add(bootLimit + requestTime)); err != nil {
		return Status{}, err
	}
	if err := json.NewEncoder(conn).Encode(r); err != nil {
		return Status{}, fmt.Errorf("cluster %q: %w", name, err)
	}
	var answer reply
	if err := json.NewDecoder(conn).Decode(&answer); err != nil {
		return Status{}, fmt.Errorf("cluster %q: its keeper did not answer: %w", name, err)
	}
	if answer.Error != "" {
		return Status{}, fmt.Errorf("cluster %q: %s", name, answer.Error)
	}
	if r.Op == OpEnd {
		return answer.Status, ended(keeper, pid)
	}
	return answer.Status, nil
}

// ended waits for a process to end.
func ended(pidfd, pid int) error {
	const limit = 30 * time.Second
	for deadline := time.Now().Add(limit); ; {
		left := max(0, time.Until(deadline).Milliseconds())
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}, int(left))
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return err
		case n == 0:
			return fmt.Errorf("the keeper, process %d, still runs after %v", pid, limit)
		default:
			return nil
		}
	}
}

// StartOn starts cmd on a host of a named cluster, as Cluster.Start does.
func StartOn(name, host string, cmd *exec.Cmd) error {
	s, err := Ask(name, Request{Op: OpShow})
	if err != nil {
		return err
	}
	for _, h := range s.Hosts {
		switch {
		case h.Name != host:
		case h.Pid == 0:
			return fmt.Errorf("%s is down; start it with weft cluster boot %s", host, host)
		default:
			return startIn(h.Pid, cmd)
		}
	}
	return fmt.Errorf("there is no host %q in cluster %q, only h0 to h%d", host, name, len(s.Hosts)-1)
}

// Names lists the named clusters of this machine.
func Names() ([]string, error) {
	table, err := os.ReadFile("/proc/net/unix")
	if err != nil {
		return nil, err
	}
	return namesIn(table), nil
}

// namesIn finds the keepers' sockets in the kernel's table of sockets, whose last column is the name.
func namesIn(table []byte) []string {
	var found []string
	for line := range bytes.Lines(table) {
		fields := strings.Fields(string(line))
		if len(fields) == 0 {
			continue
		}
		name, ours := strings.CutPrefix(fields[len(fields)-1], sockets)
		if ours && names.MatchString(name) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

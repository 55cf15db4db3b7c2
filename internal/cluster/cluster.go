package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// AllRails, given as a rail, means every one.
const AllRails = -1

// bootLimit is how long a host may take until its ssh server answers, on a machine that has much else to do.
const bootLimit = time.Minute

// Cluster is a running cluster. Its methods may be called from several goroutines; each change is complete when the
// method returns. Hosts are named h0, h1 and so on, rails are numbered from 0.
type Cluster struct {
	config Config
	papers *papers

	mu     sync.Mutex
	fabric fabric
	hosts  []*host
	down   bool
}

// Up makes a cluster and returns when every host's ssh server answers. The cluster ends with Down, or with this
// process. If Up fails or ctx ends meanwhile, nothing is left.
func Up(ctx context.Context, config Config) (*Cluster, error) {
	config, err := config.checked()
	if err != nil {
		return nil, err
	}
	if missing := Missing(); len(missing) > 0 {
		return nil, fmt.Errorf("a cluster in a box cannot be made here: %s", strings.Join(missing, "; "))
	}
	c := &Cluster{config: config}
	if c.papers, err = write(config); err != nil {
		return nil, err
	}
	if err := c.raise(ctx); err != nil {
		c.Down()
		return nil, err
	}
	return c, nil
}

// raise makes the networks, then the hosts, all at the same time.
func (c *Cluster) raise(ctx context.Context) (err error) {
	c.fabric.config = c.config
	if c.fabric.net, err = newNet(); err != nil {
		return err
	}
	for i := range c.config.Hosts {
		net, err := newNet()
		if err != nil {
			return err
		}
		c.hosts = append(c.hosts, &host{index: i, net: net})
		wires := make([]wire, c.config.Rails)
		for rail := range wires {
			wires[rail].loss = c.config.Loss
		}
		c.fabric.wires = append(c.fabric.wires, wires)
	}
	c.fabric.hosts = c.hosts
	if err := c.fabric.lay(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, bootLimit)
	defer cancel()
	errs := make([]error, len(c.hosts))
	var all sync.WaitGroup
	for i, h := range c.hosts {
		all.Go(func() {
			if errs[i] = ctx.Err(); errs[i] == nil {
				errs[i] = c.fabric.address(i)
			}
			if errs[i] == nil {
				errs[i] = h.boot(ctx, c.papers)
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// Down ends every process of every host and removes the hosts and the network. It returns when the processes are
// gone. The second call does nothing.
func (c *Cluster) Down() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.down {
		return
	}
	c.down = true
	var all sync.WaitGroup
	for _, h := range c.hosts {
		all.Go(h.discard)
	}
	all.Wait()
	if c.fabric.net != nil {
		c.fabric.net.Close()
	}
}

// Hosts returns the names of the hosts.
func (c *Cluster) Hosts() []string {
	var names []string
	for i := range c.config.Hosts {
		names = append(names, hostName(i))
	}
	return names
}

// Addr is a host's address on a rail. It panics when there is no such host or rail, as an index does.
func (c *Cluster) Addr(name string, rail int) netip.Addr {
	i, err := c.index(name)
	if err != nil || rail < 0 || rail >= c.config.Rails {
		panic(fmt.Sprintf("cluster: no host %s with rail %d", name, rail))
	}
	return address(i, rail)
}

// Command is the command that runs args on a host, in the caller's directory and with its environment. When its
// process is killed, so is the command on the host; other signals reach only a helper in between, so use Start where
// they matter. If the host is down, starting the command fails.
func (c *Cluster) Command(name string, args ...string) *exec.Cmd {
	pid, err := c.pid(name)
	if err == nil && len(args) == 0 {
		err = errors.New("no command")
	}
	dir, err2 := os.Getwd()
	if err := errors.Join(err, err2); err != nil {
		return &exec.Cmd{Args: args, Err: fmt.Errorf("command on %s: %w", name, err)}
	}
	enter := []string{"--target", strconv.Itoa(pid), "--mount", "--uts", "--ipc", "--net", "--pid", "--",
		"setpriv", "--pdeathsig", "KILL", "--", "env", "-C", dir}
	return exec.Command("nsenter", append(enter, args...)...)
}

// Start starts cmd on a host instead of here. It is then a child of this process like any other: wait for it, signal
// it. cmd must not ask for a signal at its parent's death, since that would come at once.
func (c *Cluster) Start(name string, cmd *exec.Cmd) error {
	pid, err := c.pid(name)
	if err == nil {
		err = startIn(pid, cmd)
	}
	if err != nil {
		return fmt.Errorf("start on %s: %w", name, err)
	}
	return nil
}

// pid is a running host's first process.
func (c *Cluster) pid(name string) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i, err := c.index(name)
	if err != nil {
		return 0, err
	}
	if c.down || c.hosts[i].pid() == 0 {
		return 0, fmt.Errorf("%s is down", name)
	}
	return c.hosts[i].pid(), nil
}

func (c *Cluster) index(name string) (int, error) {
	digits, found := strings.CutPrefix(name, "h")
	i, err := strconv.Atoi(digits)
	if !found || err != nil || i < 0 || i >= c.config.Hosts || hostName(i) != name {
		return 0, fmt.Errorf("there is no host %q, only h0 to %s", name, hostName(c.config.Hosts-1))
	}
	return i, nil
}

package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// host is one host. Its network lasts from Up to Down; its other namespaces live and die with its first process, the
// ssh server.
type host struct {
	index int
	net   *os.File
	life  *life // nil before the first boot
}

// life is one boot of a host.
type life struct {
	process *os.Process
	gone    chan struct{} // closed when the first process, and so every process of the host, has ended
	log     *os.File      // what the ssh server said, in memory
}

// pid is the first process as seen from outside, 0 when the host is down.
func (h *host) pid() int {
	if h.life == nil {
		return 0
	}
	select {
	case <-h.life.gone:
		return 0
	default:
		return h.life.process.Pid
	}
}

// boot starts the host unless it runs, and returns when its ssh server answers.
func (h *host) boot(ctx context.Context, p *papers) error {
	if h.pid() != 0 {
		return nil
	}
	sshd, err := program("sshd")
	if err != nil {
		return err
	}
	fd, err := unix.MemfdCreate("weft-host-log", unix.MFD_CLOEXEC)
	if err != nil {
		return err
	}
	l := &life{gone: make(chan struct{}), log: os.NewFile(uintptr(fd), "log of "+hostName(h.index))}
	started := make(chan error, 1)
	go onThread(func() error {
		defer close(l.gone)
		cmd := exec.Command("/bin/sh", "-c", first, "init", sshd, "-D", "-e", "-f", desk+"/sshd_config")
		cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
		cmd.Stderr = l.log
		err := h.start(cmd, p)
		l.process = cmd.Process
		started <- err
		if err != nil {
			return err
		}
		return cmd.Wait()
	})
	if err := <-started; err != nil {
		defer l.log.Close()
		return fmt.Errorf("boot %s: %w", hostName(h.index), err)
	}
	if h.life != nil {
		h.life.log.Close()
	}
	h.life = l
	return h.answers(ctx)
}

// first is what the first process of a host does before it becomes the ssh server, its arguments. It waits for a word:
// a process is not bound to its parent's life from the very beginning, and a parent that dies before that says nothing.
// Then it mounts /proc, since the kernel shows there the processes of whoever mounts it.
const first = `read -r word && mount -t proc proc /proc && exec "$@" </dev/null`

// start moves this thread into new namespaces, furnishes them, and starts cmd as their first process. The process
// dies when this thread does, and all others of its namespace with it.
func (h *host) start(cmd *exec.Cmd, p *papers) error {
	if err := unix.Setns(int(h.net.Fd()), unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("enter the network: %w", err)
	}
	if err := unix.Unshare(namespaces); err != nil {
		return fmt.Errorf("new namespaces: %w", err)
	}
	if err := furnish(hostName(h.index), p); err != nil {
		return err
	}
	gate, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID, Setsid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return err
	}
	// Should the process have ended already, then its log says why.
	_, _ = io.WriteString(gate, "begin\n")
	return gate.Close()
}

// answers waits until the ssh server takes connections.
func (h *host) answers(ctx context.Context) error {
	for {
		err := inNet(h.net, func() error {
			conn, err := net.DialTimeout("tcp", "127.0.0.1:22", time.Second)
			if err == nil {
				conn.Close()
			}
			return err
		})
		if err == nil {
			return nil
		}
		select {
		case <-h.life.gone:
			return fmt.Errorf("%s: its ssh server ended: %s", hostName(h.index), h.life.said())
		case <-ctx.Done():
			return fmt.Errorf("%s: its ssh server does not answer: %w", hostName(h.index), errors.Join(ctx.Err(), err))
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// said returns what the ssh server complained about.
func (l *life) said() string {
	text, err := io.ReadAll(io.NewSectionReader(l.log, 0, 1<<16))
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text))
}

// kill ends every process of the host, and returns when they are gone.
func (h *host) kill() {
	if h.pid() == 0 {
		return
	}
	// An error means that the process ended by itself meanwhile.
	_ = h.life.process.Kill()
	<-h.life.gone
}

// discard ends the host for good.
func (h *host) discard() {
	h.kill()
	if h.life != nil {
		h.life.log.Close()
	}
	h.net.Close()
}

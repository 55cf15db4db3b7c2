// Package desk is where a user asks the launchers of his jobs on this host: each listens on a Unix socket in a
// directory that belongs to the user and that nobody else can enter.
//
// It owns the directory, the sockets in it, and who may ask: the user himself, and root. One line asks; the
// answer is all that comes until the end. What is in it, the package does not know.
package desk

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Bounds of a conversation.
const (
	question  = "status\n"
	askersMax = 8               // at a time; more wait
	patience  = 5 * time.Second // for an answer to be found, and for it to be read
	answerMax = 256 << 20
)

// staleAfter is how old a socket is that can be removed if nobody listens: a younger one may be about to be listened
// to.
const staleAfter = 10 * time.Second

// Home is the directory of the user's sockets on this host. It does not depend on the environment, since who asks may
// have another one than the launcher.
func Home() string { return filepath.Join("/tmp", "weft-"+strconv.Itoa(os.Geteuid())) }

// check refuses a directory that somebody else might have made.
func check(dir string) error {
	var st unix.Stat_t
	if err := unix.Lstat(dir, &st); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR || st.Mode&0o777 != 0o700 || int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("%s is not a directory of yours with mode 0700; remove it, or have its owner do so", dir)
	}
	return nil
}

// Desk is a launcher's end.
type Desk struct {
	listener *net.UnixListener
	answer   func(context.Context) ([]byte, error)
	slots    chan struct{}
	ctx      context.Context
	cancel   context.CancelFunc
	wg       sync.WaitGroup
}

// Open listens in dir, which is made if it is missing. answer is called by several goroutines; its context ends when
// it takes too long, or by Close.
func Open(dir string, answer func(context.Context) ([]byte, error)) (*Desk, error) {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	if err := check(dir); err != nil {
		return nil, err
	}
	sweep(dir)
	var some [4]byte
	_, _ = rand.Read(some[:]) // never fails, by its documentation
	path := filepath.Join(dir, fmt.Sprintf("%d-%x", os.Getpid(), some))
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	d := &Desk{listener: l, answer: answer, slots: make(chan struct{}, askersMax)}
	d.ctx, d.cancel = context.WithCancel(context.Background())
	d.wg.Go(d.serve)
	return d, nil
}

// Close ends all conversations and removes the socket. It may be called on nil.
func (d *Desk) Close() {
	if d == nil {
		return
	}
	d.cancel()
	d.listener.Close()
	d.wg.Wait()
}

func (d *Desk) serve() {
	for {
		select {
		case d.slots <- struct{}{}:
		case <-d.ctx.Done():
			return
		}
		conn, err := d.listener.AcceptUnix()
		if err != nil {
			<-d.slots
			if d.ctx.Err() != nil {
				return
			}
			select { // out of descriptors, perhaps
			case <-time.After(100 * time.Millisecond):
			case <-d.ctx.Done():
			}
			continue
		}
		d.wg.Go(func() {
			defer func() { <-d.slots }()
			d.talk(conn)
		})
	}
}

// talk answers one who asks.
func (d *Desk) talk(conn *net.UnixConn) {
	defer conn.Close()
	defer context.AfterFunc(d.ctx, func() { conn.Close() })()
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	var line [len(question)]byte
	if _, err := io.ReadFull(conn, line[:]); err != nil || string(line[:]) != question || !ours(conn) {
		return
	}
	ctx, cancel := context.WithTimeout(d.ctx, patience)
	defer cancel()
	text, err := d.answer(ctx)
	if err != nil {
		return
	}
	_ = conn.SetWriteDeadline(time.Now().Add(patience))
	_, _ = conn.Write(text)
}

// ours tells whether the other end is a process of the same user, or of root.
func ours(conn *net.UnixConn) bool {
	raw, err := conn.SyscallConn()
	if err != nil {
		return false
	}
	var who *unix.Ucred
	failed := raw.Control(func(fd uintptr) {
		who, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	if failed != nil || err != nil {
		return false
	}
	return who.Uid == 0 || int(who.Uid) == os.Geteuid()
}

// Job is a launcher that can be asked.
type Job struct {
	Pid  int // in the launcher's namespace of processes
	path string
}

// Jobs are the launchers that listen in dir, by number. Sockets that dead ones have left are removed.
func Jobs(dir string) ([]Job, error) {
	err := check(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return sweep(dir), nil
}

// sweep lists the sockets to which somebody listens and removes the others.
func sweep(dir string) (jobs []Job) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		number, _, _ := strings.Cut(e.Name(), "-")
		pid, err := strconv.Atoi(number)
		if err != nil || e.Type() != os.ModeSocket {
			continue
		}
		path := filepath.Join(dir, e.Name())
		info, err := e.Info()
		if err != nil {
			continue
		}
		conn, err := net.DialTimeout("unix", path, patience)
		if err == nil {
			conn.Close()
			jobs = append(jobs, Job{pid, path})
		} else if errors.Is(err, unix.ECONNREFUSED) && time.Since(info.ModTime()) > staleAfter {
			os.Remove(path)
		} else if errors.Is(err, unix.EAGAIN) { // too many wait to be answered
			jobs = append(jobs, Job{pid, path})
		}
	}
	slices.SortFunc(jobs, func(a, b Job) int { return a.Pid - b.Pid })
	return jobs
}

// ErrNoAnswer says that a launcher is there and silent: it is stopped, or ends.
var ErrNoAnswer = errors.New("its launcher does not answer: it is stopped, or the job is ending")

// Ask asks a launcher.
func (j Job) Ask() ([]byte, error) {
	conn, err := net.DialTimeout("unix", j.path, patience)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoAnswer, err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(2 * patience))
	if _, err := io.WriteString(conn, question); err != nil {
		return nil, ErrNoAnswer
	}
	text, err := io.ReadAll(io.LimitReader(conn, answerMax))
	if err != nil || len(text) == 0 {
		return nil, ErrNoAnswer
	}
	return text, nil
}

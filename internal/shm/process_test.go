package shm

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"unsafe"

	"github.com/weft-mpi/weft/internal/wire"
	"golang.org/x/sys/unix"
)

// The test binary is its own peer: with this variable set it is rank 1 of the segment on descriptor 3.
const peerMode = "WEFT_TEST_PEER"

func TestMain(m *testing.M) {
	switch mode := os.Getenv(peerMode); mode {
	case "":
		os.Exit(m.Run())
	case "denied":
		if err := forbidCMA(); err != nil {
			fmt.Fprintln(os.Stderr, "seccomp:", err)
			os.Exit(3)
		}
		fallthrough
	default:
		if err := echo(mode == "help"); err != nil {
			fmt.Fprintln(os.Stderr, "peer:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
}

// station is a rank that sends, polls and sleeps as progress would.
type station struct {
	*Link
	bag   *mailbag
	queue []*wire.Packet
}

// wait works until cond holds; false after many sleeps without it.
func (s *station) wait(cond func() bool) bool {
	for idle := 0; !cond(); {
		for len(s.queue) > 0 && s.Send(s.queue[0]) {
			s.queue = s.queue[1:]
		}
		if s.Poll(s.bag) {
			idle = 0
			continue
		}
		bell := s.Bell()
		bell.Arm()
		if !s.Ready() {
			bell.Sleep(20_000_000)
		}
		bell.Disarm()
		if idle++; idle > 500 {
			return false
		}
	}
	return true
}

// next waits for a message and takes it.
func (s *station) next() *message {
	if !s.wait(func() bool { return len(s.bag.got) > 0 && s.bag.got[0].ended }) {
		return nil
	}
	m := s.bag.got[0]
	s.bag.got = s.bag.got[1:]
	return m
}

// echo is the peer: it sends back what it gets, until it is told to quit. What it may not read it answers with
// the word "denied".
func echo(help bool) error {
	f := os.NewFile(3, "segment")
	seg, err := Open(f)
	if err != nil {
		return err
	}
	f.Close()
	s := &station{Link: NewLink(Config{Segment: seg, Self: 1, Help: help}), bag: new(mailbag)}
	for {
		m := s.next()
		if m == nil {
			return fmt.Errorf("nothing came")
		}
		if m.header.Kind == wire.RTS {
			dst := make([]byte, m.header.Len)
			m.payload = []byte("denied")
			if s.Read(0, m.header.Key, dst, m) {
				s.wait(func() bool { _, done := s.bag.reads[m]; return done })
				if s.bag.reads[m] == nil {
					m.payload = dst
				}
			}
			s.queue = append(s.queue, &wire.Packet{Peer: 0, Header: wire.Header{Kind: wire.FIN, Send: m.header.Send}})
		}
		s.queue = append(s.queue, eager(0, int(m.header.Tag), wire.Eager, m.payload))
		if m.header.Tag == 9999 {
			s.wait(func() bool { return len(s.queue) == 0 })
			return nil
		}
	}
}

// startPeer runs this binary as rank 1 and returns our end.
func startPeer(t *testing.T, mode string, cfg Config) *station {
	t.Helper()
	f, err := Create(Geometry{Ranks: 2, Cells: 64, Small: 4 * smallMax, Bulk: 64 << 10, Arena: 16 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seg, err := Open(f)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Segment = seg
	s := &station{Link: NewLink(cfg), bag: new(mailbag)}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), peerMode+"="+mode)
	cmd.ExtraFiles = []*os.File{f}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			cmd.Process.Kill()
		}
		s.queue = append(s.queue, eager(1, 9999, wire.Eager, nil))
		s.next()
		if err := cmd.Wait(); err != nil && !t.Failed() {
			t.Errorf("the peer ended with %v", err)
		}
		seg.Close()
	})
	if !s.wait(func() bool { return seg.Attached() == 2 }) {
		t.Fatal("the peer did not attach")
	}
	return s
}

// TestBetweenProcesses sends payloads of all sizes through the rings to another process and back.
func TestBetweenProcesses(t *testing.T) {
	s := startPeer(t, "echo", Config{})
	for i, n := range append(around(0, inlineMax, smallMax, 64<<10, ringEagerMax), 5<<20) {
		p := eager(1, i, wire.Eager, fill(n, i))
		s.queue = append(s.queue, p)
		if m := s.next(); m == nil || !bytes.Equal(m.payload, p.Data) || int(m.header.Tag) != i {
			t.Fatalf("%d bytes did not come back", n)
		}
	}
}

// offerTo sends b by single copy and returns what comes back, after the FIN.
func (s *station) offerTo(tag int, b []byte) (*message, bool) {
	k := s.Expose(1, b, false)
	s.queue = append(s.queue, &wire.Packet{Peer: 1, Header: wire.Header{Kind: wire.RTS, Tag: int32(tag), Send: 1, Len: len(b), Key: k}})
	fin := s.next()
	s.Hide(1, k)
	return s.next(), fin != nil && fin.header.Kind == wire.FIN
}

// TestSingleCopyBetweenProcesses: the other process reads our memory, alone or with our help, and from the arena.
func TestSingleCopyBetweenProcesses(t *testing.T) {
	for _, help := range []bool{false, true} {
		s := startPeer(t, map[bool]string{false: "echo", true: "help"}[help], Config{Help: help})
		shared, err := s.Alloc(3 << 20)
		if err != nil {
			t.Fatal(err)
		}
		copy(shared, fill(len(shared), 77))
		for i, b := range [][]byte{fill(1, 1), fill(100_001, 2), fill(3<<20, 3), shared} {
			m, fin := s.offerTo(i, b)
			if m == nil || !fin {
				t.Fatalf("%d bytes, help %v: no answer", len(b), help)
			}
			if string(m.payload) == "denied" {
				t.Skip("the kernel does not allow single copies here")
			}
			if !bytes.Equal(m.payload, b) {
				t.Fatalf("%d bytes, help %v: payload differs", len(b), help)
			}
		}
	}
}

// TestKernelForbids: in a process whose system calls are filtered, the probe fails silently and the peer asks
// for another way; memory of the arena is still within reach.
func TestKernelForbids(t *testing.T) {
	s := startPeer(t, "denied", Config{})
	m, _ := s.offerTo(1, fill(100_000, 1))
	if m == nil || string(m.payload) != "denied" {
		t.Fatal("the peer did not notice that it may not read")
	}
	shared, err := s.Alloc(100_000)
	if err != nil {
		t.Fatal(err)
	}
	copy(shared, fill(100_000, 5))
	if m, _ := s.offerTo(2, shared); m == nil || !bytes.Equal(m.payload, shared) {
		t.Error("memory of the arena did not come through")
	}
	s.queue = append(s.queue, eager(1, 3, wire.Eager, []byte("rings")))
	if m := s.next(); m == nil || string(m.payload) != "rings" {
		t.Error("the rings do not work")
	}
}

// forbidCMA makes process_vm_readv and process_vm_writev fail with EPERM in all threads of this process.
func forbidCMA() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // the number of the system call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: unix.SYS_PROCESS_VM_READV},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: unix.SYS_PROCESS_VM_WRITEV},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return errno
	}
	return nil
}

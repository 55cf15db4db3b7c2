package meet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/pmi"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var secret = Key("a key for tests, long enough")

const patience = time.Minute

// assembly is a job whose ranks are goroutines.
type assembly struct {
	lead    *Meeting
	at      []Address
	clients []*pmi.Client
}

// assemble has all ranks of a job of so many come. Rank 1 leads, or 0 where there is no other.
func assemble(t *testing.T, size int, l net.Listener, s Secret) *assembly {
	t.Helper()
	a := &assembly{at: []Address{{l.Addr().Network(), l.Addr().String()}}, clients: make([]*pmi.Client, size)}
	leader := min(1, size-1)
	a.lead = Lead([]net.Listener{l}, Job{"job", leader, size}, s, map[string]string{pmi.JobKey: "k"}, patience)
	var all sync.WaitGroup
	for rank := range size {
		all.Go(func() {
			conn := a.lead.Conn()
			if rank != leader {
				var err error
				if conn, err = Join(t.Context(), Job{"job", rank, size}, a.at, s, patience); err != nil {
					t.Errorf("rank %d: %v", rank, err)
					return
				}
			}
			a.clients[rank] = pmi.NewMember(conn)
			if err := a.clients[rank].Init(); err != nil {
				t.Errorf("rank %d: %v", rank, err)
			}
		})
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return a
}

// every calls f as every rank.
func (a *assembly) every(f func(rank int, c *pmi.Client) error) error {
	errs := make([]error, len(a.clients))
	var all sync.WaitGroup
	for rank, c := range a.clients {
		all.Go(func() { errs[rank] = f(rank, c) })
	}
	all.Wait()
	return errors.Join(errs...)
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func listenHere(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// exchange has every rank tell every other something.
func exchange(rank int, c *pmi.Client) error {
	if err := c.Put(fmt.Sprint("key-", rank), strings.Repeat("v", 700+rank)); err != nil {
		return err
	}
	if err := c.Barrier(); err != nil {
		return err
	}
	for peer := 0; ; peer++ {
		v, found, err := c.Get(fmt.Sprint("key-", peer))
		if err != nil || !found && peer == 0 {
			return fmt.Errorf("key of %d: %v, %w", peer, found, err)
		}
		if !found {
			return nil
		}
		if len(v) != 700+peer {
			return fmt.Errorf("%d bytes of rank %d", len(v), peer)
		}
	}
}

func TestMeetings(t *testing.T) {
	for _, size := range []int{1, 2, 3, 40} {
		for what, how := range map[string]struct {
			l net.Listener
			s Secret
		}{"key": {listen(t), secret}, "same user": {listenHere(t), SameUser{}}} {
			a := assemble(t, size, how.l, how.s)
			if err := a.every(exchange); err != nil {
				t.Errorf("%d ranks, %s: %v", size, what, err)
			}
			if err := a.every(func(_ int, c *pmi.Client) error { return errors.Join(c.Finalize(), c.Close()) }); err != nil {
				t.Errorf("%d ranks, %s, end: %v", size, what, err)
			}
			a.lead.Wait()
			if _, err := net.Dial(a.at[0].Network, a.at[0].Where); err == nil {
				t.Error("somebody listens still")
			}
		}
	}
}

// TestEnds: whatever ends one rank ends all, and each hears why.
func TestEnds(t *testing.T) {
	for what, c := range map[string]struct {
		end  func(a *assembly) error
		code int
		why  string
	}{
		"abort":           {func(a *assembly) error { return a.clients[2].Abort(7, "had enough") }, 7, "rank 2 aborted the job with code 7: had"},
		"leader's abort":  {func(a *assembly) error { return a.clients[1].Abort(256, "x") }, 1, "rank 1 aborted the job with code 1"},
		"death":           {func(a *assembly) error { return a.clients[3].Close() }, 1, "rank 3 at 127.0.0.1:"},
		"leader's death":  {func(a *assembly) error { return a.clients[1].Close() }, 1, "rank 1 has left without Finalize"},
		"broken protocol": {func(a *assembly) error { return a.clients[0].Init() }, 1, "rank 0"},
	} {
		a := assemble(t, 4, listen(t), secret)
		if err := a.clients[0].Put("early", "x"); err != nil {
			t.Fatal(err)
		}
		if err := c.end(a); err != nil && what != "broken protocol" {
			t.Errorf("%s: %v", what, err)
		}
		told := 0
		for _, client := range a.clients {
			for end := time.Now().Add(patience); client.Cause() == nil; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%s: a rank has heard nothing", what)
				}
			}
			var over *pmi.Over
			if errors.As(client.Cause(), &over) {
				told++
				if over.Code != c.code || !strings.HasPrefix(over.Text, c.why) {
					t.Errorf("%s: %+v", what, over)
				}
			}
		}
		if told < 3 {
			t.Errorf("%s: %d ranks know why", what, told)
		}
		a.lead.Wait()
		for _, client := range a.clients {
			client.Close()
		}
	}
}

// TestAbsent: ranks that do not come end the job.
func TestAbsent(t *testing.T) {
	l := listen(t)
	m := Lead([]net.Listener{l}, Job{"job", 0, 3}, secret, nil, 50*time.Millisecond)
	c := pmi.NewMember(m.Conn())
	defer c.Close()
	<-c.Gone()
	if err := c.Cause(); !strings.Contains(err.Error(), "2 of 3 ranks have not come, the first of them rank 1") {
		t.Error(err)
	}
	m.Wait()
	_, err := Join(t.Context(), Job{"job", 1, 3}, []Address{{"tcp", l.Addr().String()}}, secret, 50*time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "has not found the leader of job job within 50ms") {
		t.Error(err)
	}
}

// squatter accepts connections and says something else, or nothing.
func squatter(t *testing.T, say string) Address {
	t.Helper()
	l := listen(t)
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer c.Close()
				_, _ = io.WriteString(c, say)
				_, _ = io.Copy(io.Discard, c)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		all.Wait()
	})
	return Address{"tcp", l.Addr().String()}
}

// TestStrangers: nobody without the key gets in, nor keeps ranks out; ranks pass by those who listen in
// the leader's place.
func TestStrangers(t *testing.T) {
	l := listen(t)
	at := Address{"tcp", l.Addr().String()}
	m := Lead([]net.Listener{l}, Job{"job", 0, 2}, secret, map[string]string{pmi.JobKey: "k"}, patience)
	own := pmi.NewMember(m.Conn())
	defer own.Close()
	dial := func() net.Conn {
		c, err := net.Dial(at.Network, at.Where)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	for range 50 {
		dial() // says nothing, and holds on
	}
	hello := append(append([]byte(mark), random()...), make([]byte, nameSize)...)
	for _, say := range [][]byte{[]byte("GET / HTTP/1.1\r\n\r\n"), hello, make([]byte, 1<<16), []byte(mark)} {
		c := dial()
		_, _ = c.Write(say)
		_ = c.(*net.TCPConn).CloseWrite()
		if got, _ := io.ReadAll(c); len(got) > 0 {
			t.Errorf("%.20q is answered by %q", say, got)
		}
	}
	for what, j := range map[string]struct {
		job Job
		s   Secret
	}{
		"another key":  {Job{"job", 1, 2}, Key("another key, long enough too")},
		"another job":  {Job{"other", 1, 2}, secret},
		"another size": {Job{"job", 1, 3}, secret},
		"no such rank": {Job{"job", 2, 2}, secret},
		"the leader":   {Job{"job", 0, 2}, secret},
	} {
		if c, err := try(t.Context(), j.job, at, j.s); err == nil {
			c.Close()
			t.Errorf("%s was let in", what)
		}
	}
	mute := squatter(t, "HTTP/1.1 400 Bad Request\r\n\r\n"+strings.Repeat("x", 100))
	relay := squatter(t, mark+strings.Repeat("n", nonceSize)+"\xff\xff")
	c, err := Join(t.Context(), Job{"job", 1, 2}, []Address{mute, relay, {"tcp", "127.0.0.1:1"}, at}, secret, patience)
	if err != nil {
		t.Fatal(err)
	}
	other := pmi.NewMember(c)
	defer other.Close()
	if err := errors.Join(own.Init(), other.Init(), own.Finalize(), other.Finalize()); err != nil {
		t.Error(err)
	}
	m.Wait()
}

// TestTwice: of many that say at once that they are the same rank one is welcome, and the others are told why not.
func TestTwice(t *testing.T) {
	l := listen(t)
	m := Lead([]net.Listener{l}, Job{"job", 0, 3}, secret, nil, patience)
	at := Address{"tcp", l.Addr().String()}
	conns, errs := make([]net.Conn, 12), make([]error, 12)
	var all sync.WaitGroup
	for i := range conns {
		all.Go(func() { conns[i], errs[i] = try(t.Context(), Job{"job", 1, 3}, at, secret) })
	}
	all.Wait()
	welcome := 0
	for i, err := range errs {
		var no *Refused
		switch {
		case err == nil:
			welcome++
			conns[i].Close()
		case !errors.As(err, &no) || !strings.Contains(no.Text, "here already"):
			t.Error(err)
		}
	}
	if welcome != 1 {
		t.Errorf("%d were welcome as rank 1", welcome)
	}
	m.Conn().Close()
	m.Wait()
}

// TestChanged: a record that was changed, left out or sent again is not read.
func TestChanged(t *testing.T) {
	about, key := []byte("about"), []byte("key")
	var wires [][]byte
	here, there := net.Pipe()
	defer here.Close()
	out, err := seal(here, key, about, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "two", ""} {
		done := make(chan []byte)
		go func() {
			b := make([]byte, 100)
			n, _ := there.Read(b)
			done <- b[:n]
		}()
		if _, err := out.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		wires = append(wires, <-done)
	}
	flipped := bytes.Clone(wires[0])
	flipped[5] ^= 1
	for what, b := range map[string][]byte{"changed": flipped, "left out": wires[1], "cut": wires[0][:10], "short": {0, 1, 2}, "long": {255, 255},
		"again": append(bytes.Clone(wires[0]), wires[0]...)} {
		in, err := seal(reader{Reader: bytes.NewReader(b)}, key, about, false)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if what == "again" && string(text) == "one" {
			text = nil
		}
		if err == nil || len(text) > 0 {
			t.Errorf("%s: %q, %v", what, text, err)
		}
	}
	in, _ := seal(reader{Reader: bytes.NewReader(bytes.Join(wires, nil))}, key, about, false)
	if text, err := io.ReadAll(in); string(text) != "onetwo" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

type reader struct {
	io.Reader
	net.Conn
}

func (r reader) Read(b []byte) (int, error) { return r.Reader.Read(b) }

func TestKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	for text, mode := range map[string]os.FileMode{"0123456789abcdef\n": 0o604, "short": 0o600, "": 0o600} {
		if err := errors.Join(os.WriteFile(path, []byte(text), mode), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		if key, err := KeyFile(path); err == nil {
			t.Errorf("%q with mode %o: %q", text, mode, key)
		}
	}
	if err := errors.Join(os.WriteFile(path, []byte(" 0123456789abcdef\n"), 0o600), os.Chmod(path, 0o440)); err != nil {
		t.Fatal(err)
	}
	if key, err := KeyFile(path); err != nil || string(key) != "0123456789abcdef" {
		t.Errorf("%q, %v", key, err)
	}
	for _, path := range []string{t.TempDir(), "/no/such/file"} {
		if _, err := KeyFile(path); err == nil {
			t.Errorf("%s is a key", path)
		}
	}
}

// TestCancel: whoever waits for a leader can be told not to.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Join(ctx, Job{"job", 1, 2}, []Address{{"tcp", "127.0.0.1:1"}}, secret, patience); err == nil {
		t.Error("found")
	}
}

func FuzzWhoIs(f *testing.F) {
	f.Add("1 4")
	f.Add("0-3 4")
	f.Fuzz(func(t *testing.T, text string) {
		if rank, err := whoIs(text, Job{"job", 0, 4}); err == nil && (rank < 0 || rank > 3) {
			t.Fatal(rank)
		}
	})
}

func FuzzRecord(f *testing.F) {
	f.Add([]byte{0, 16, 1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		in, err := seal(reader{Reader: bytes.NewReader(b)}, []byte("key"), nil, false)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(in); len(b) > 0 && (err == nil || len(text) > 0) {
			t.Fatalf("%q, %v", text, err)
		}
	})
}

package doctor

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/weft-mpi/weft/internal/launch/hosts"
	"go.uber.org/goleak"
)

func TestReadHello(t *testing.T) {
	long := strings.Repeat("x", 10000)
	for _, c := range []struct {
		text, version, noise, rest string
		bad                        bool
	}{
		{text: "weft-doctor-agent 1 v1.2 abc\n{}\n", version: "v1.2 abc", rest: "{}\n"},
		{text: "Welcome\n\nweft-doctor-agent 1 v\nrest", version: "v", noise: "Welcome\n\n", rest: "rest"},
		{text: "no newline weft-doctor-agent 1 v\n", version: "v"},
		{text: long + "\nweft-doctor-agent 1 v\n", version: "v", noise: long + "\n"},
		{text: "weft-doctor-agent 2 v\n", version: "v", bad: true},
		{text: "weft-doctor-agent x v\n", version: "v", bad: true},
		{text: "weft-doctor-agent 1 v", noise: "weft-doctor-agent 1 v", bad: true},
		{text: "", bad: true},
		{text: "sh: weft: not found\n", noise: "sh: weft: not found\n", bad: true},
	} {
		in := bufio.NewReader(strings.NewReader(c.text))
		h, err := readHello(in)
		rest, _ := io.ReadAll(in)
		if (err != nil) != c.bad || h.version != c.version || h.noise != c.noise || string(rest) != c.rest {
			t.Errorf("%.40q: %+v %v, rest %q", c.text, h, err, rest)
		}
	}
	endless := io.LimitReader(neverEnding('x'), 10*noiseMost)
	if _, err := readHello(bufio.NewReader(endless)); !errors.Is(err, errSilent) {
		t.Errorf("endless noise: %v", err)
	}
}

type neverEnding byte

func (b neverEnding) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(b)
	}
	return len(p), nil
}

func FuzzReadHello(f *testing.F) {
	f.Add([]byte("Welcome\nweft-doctor-agent 1 v1\n{}"))
	f.Add([]byte("weft-doctor-agent 99999999999999999999 v1\n"))
	f.Add([]byte("weft-doctor-agent \n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		h, err := readHello(bufio.NewReader(bytes.NewReader(text)))
		if err == nil && !bytes.Contains(text, []byte(greeting)) {
			t.Fatalf("%+v without a greeting", h)
		}
	})
}

// FuzzAnswer: whatever an agent answers is an answer or an error.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"facts":{"name":"h","interfaces":[{"addresses":["10.0.0.1/24"]}]}}` + "\n"))
	f.Add([]byte(`{"reached":[{"host":-1,"ear":{"address":"x"}}]}` + "\n"))
	f.Add([]byte(`{"error":"no"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := &session{in: nopCloser{io.Discard}, lines: bufio.NewScanner(bytes.NewReader(text))}
		answer, err := s.ask(request{Facts: true})
		if err == nil && answer.Facts != nil {
			judgeHost(answer.Facts, Circumstances{})
			judgeMTUs([]string{"h"}, map[string]*Facts{"h": answer.Facts})
		}
	})
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// TestServe asks an agent in this process for everything.
func TestServe(t *testing.T) {
	defer goleak.VerifyNone(t)
	s, err := here(t.Context(), hosts.Host{Name: "me"}, "v3")
	if err != nil {
		t.Fatal(err)
	}
	defer s.end()
	if s.hello.version != "v3" {
		t.Errorf("version %s", s.hello.version)
	}
	if r, err := s.ask(request{Facts: true}); err != nil || r.Facts.Version != "v3" {
		t.Errorf("%+v %v", r, err)
	}
	ears, err := s.ask(request{Listen: &listenOrder{Secret: secretOf(1), Addresses: addresses(loopback)}})
	if err != nil || len(ears.Ears) != 1 {
		t.Fatalf("%+v %v", ears, err)
	}
	// Listening again gives up the old ears.
	again, err := s.ask(request{Listen: &listenOrder{Secret: secretOf(1), Addresses: addresses(loopback)}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.ask(request{Reach: &reachOrder{[]Target{{0, ears.Ears[0], secretOf(1)}, {0, again.Ears[0], secretOf(1)}}, 10 * time.Second}})
	if err != nil || r.Reached[0].TCP != Refused || r.Reached[1].TCP != Passed {
		t.Errorf("%+v %v", r, err)
	}
	for _, bad := range []request{{}, {Reach: &reachOrder{}}, {Reach: &reachOrder{Patience: time.Hour}}, {Listen: &listenOrder{Ports: Ports{2, 1}}}} {
		if r, err := s.ask(bad); err == nil {
			t.Errorf("%+v was answered: %+v", bad, r)
		}
	}
}

// TestServeNonsense sends lines that are no requests, then one that is.
func TestServeNonsense(t *testing.T) {
	var out bytes.Buffer
	in := "x\n[]\n{\"facts\":7}\n\n{\"time\":true}\n"
	if err := Serve(t.Context(), strings.NewReader(in), &out, "v"); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 6 {
		t.Fatalf("%q", lines)
	}
	for i, line := range lines[1:] {
		var r response
		if err := json.Unmarshal([]byte(line), &r); err != nil || (r.Error == "") != (i == 4) {
			t.Errorf("line %d: %s", i, line)
		}
	}
	if err := Serve(t.Context(), io.LimitReader(neverEnding('x'), 2*lineLimit), io.Discard, "v"); err == nil {
		t.Error("an endless line was read")
	}
}

// TestClock meets an agent whose clock is wrong and whose answers take their time now and then.
func TestClock(t *testing.T) {
	const ahead = 5 * time.Second
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	go func() {
		lines := bufio.NewScanner(in)
		for i := 0; lines.Scan(); i++ {
			if i%2 == 0 {
				time.Sleep(20 * time.Millisecond)
			}
			fmt.Fprintf(out, `{"time":%d}`+"\n", time.Now().Add(ahead).UnixNano())
		}
	}()
	defer requests.Close()
	v := &visit{session: &session{in: requests, lines: bufio.NewScanner(answers)}}
	c, err := v.clock()
	if off := (c.offset - ahead).Abs(); err != nil || off > c.error {
		t.Errorf("offset %v, give or take %v, %v", c.offset, c.error, err)
	}
	if got := surest([]clock{{1, 9}, {2, 3}, {3, 5}}); got != (clock{2, 3}) {
		t.Errorf("surest %v", got)
	}
}

// TestExamineHere examines this host alone, as "weft doctor" does.
func TestExamineHere(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := Examine(context.Background(), Order{Remote: Remote{Version: "v1"}})
	if len(r.Hosts) != 1 || r.Hosts[0].Facts == nil || len(r.Findings) < 8 || len(r.Paths) != 0 {
		t.Errorf("%+v", r)
	}
}

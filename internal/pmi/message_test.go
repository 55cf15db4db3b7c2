package pmi

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseMessageByKey(t *testing.T) {
	// The same answer as hydra, Slurm and a careless printf write it.
	for _, line := range []string{
		"cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024\n",
		"cmd=maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=1024\n",
		"vallen_max=1024 keylen_max=64  cmd=maxes kvsname_max=256 \r\n",
	} {
		m, err := ParseMessage([]byte(line))
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if n, err := m.Int("vallen_max"); m.Cmd != "maxes" || err != nil || n != 1024 {
			t.Errorf("%q: cmd %q, vallen_max %d, %v", line, m.Cmd, n, err)
		}
	}
}

func TestParseMessageKeepsValues(t *testing.T) {
	m, err := ParseMessage([]byte("cmd=get_result rc=-1 msg=key not found value=a=b,(c)"))
	if err != nil {
		t.Fatal(err)
	}
	want := NewMessage("get_result", "rc", "-1", "msg", "key", "value", "a=b,(c)")
	if diff := cmp.Diff(want, m); diff != "" {
		t.Error(diff)
	}
}

func TestParseMessageRefuses(t *testing.T) {
	for _, line := range []string{"", "\n", "hello", "rc=0", "cmd=", "cmd=a cmd=b", "cmd=a x=\x01", "cmd=a\x00",
		"cmd=a x=" + strings.Repeat("y", LineMax)} {
		if m, err := ParseMessage([]byte(line)); !errors.Is(err, ErrLine) {
			t.Errorf("%q: got %+v, %v, want ErrLine", clip(line), m, err)
		}
	}
}

func TestAppendMessageRefuses(t *testing.T) {
	for _, m := range []Message{
		{}, NewMessage("a b"), NewMessage("a", "", "v"), NewMessage("a", "k=", "v"), NewMessage("a", "k", "v w"),
		NewMessage("a", "k", "v\n"), NewMessage("a", "cmd", "v"), NewMessage("a", "k", strings.Repeat("y", LineMax)),
	} {
		if line, err := AppendMessage([]byte("x"), m); err == nil || string(line) != "x" {
			t.Errorf("%+v: got %q, %v, want an error and nothing appended", m, line, err)
		}
	}
}

func TestReader(t *testing.T) {
	r := NewReader(strings.NewReader("cmd=a\ncmd=b k=v\ncmd=c"))
	for _, want := range []Message{{Cmd: "a"}, NewMessage("b", "k", "v")} {
		got, err := r.Next()
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
	}
	if _, err := r.Next(); !errors.Is(err, ErrLine) {
		t.Errorf("cut line: %v, want ErrLine", err)
	}
	if _, err := NewReader(strings.NewReader("cmd=a\n")).Next(); err != nil {
		t.Error(err)
	}
	if _, err := NewReader(strings.NewReader("")).Next(); err != io.EOF {
		t.Errorf("empty stream: %v, want EOF", err)
	}
	long := NewReader(strings.NewReader("cmd=" + strings.Repeat("x", 2*LineMax)))
	if _, err := long.Next(); !errors.Is(err, ErrLine) {
		t.Errorf("long line: %v, want ErrLine", err)
	}
}

func FuzzMessage(f *testing.F) {
	for _, s := range []string{"cmd=init pmi_version=1 pmi_subversion=1\n", "rc=0 cmd=x", "cmd=put value==a k", "=",
		"cmd=a  b= =c", "cmd=\xff k=\x80"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		m, err := ParseMessage(line)
		if err != nil {
			return
		}
		out, err := AppendMessage(nil, m)
		if err != nil {
			t.Fatalf("%q parsed to %+v, which cannot be written: %v", line, m, err)
		}
		again, err := ParseMessage(out)
		if diff := cmp.Diff(m, again); err != nil || diff != "" {
			t.Fatalf("%q written as %q: %v %s", line, out, err, diff)
		}
		if bytes.IndexByte(out, '\n') != len(out)-1 {
			t.Fatalf("%q is not one line", out)
		}
	})
}

package pmi

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func TestInherit(t *testing.T) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(pair[1])
	file, err := Inherit(pair[0])
	if err != nil {
		t.Fatal(err)
	}
	flags, err := unix.FcntlInt(uintptr(pair[0]), unix.F_GETFD, 0)
	if err != nil || flags&unix.FD_CLOEXEC == 0 {
		t.Errorf("flags %x, %v: children would inherit the socket", flags, err)
	}
	c := NewClient(file, true)
	c.Close() // returns although nothing was ever read
	<-c.ended

	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, fd := range []int{int(null.Fd()), 1 << 20, -1} {
		if _, err := Inherit(fd); err == nil {
			t.Errorf("descriptor %d was taken for a control socket", fd)
		}
	}
}

package socket

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// foreignErrors is how many errors about other datagrams one call puts up with.
const foreignErrors = 16

// Send hands the datagrams of b that are not yet sent to the kernel, in order, in one call if all goes well,
// and says how many it took. An error is about the next one, at b.Next: ErrAgain when there is no room now,
// EMSGSIZE when it is too large for its path; then Drop it or leave it, and Send again for the rest. Neighbours of one
// size to one address travel as one message where the kernel segments; if it refuses, they are sent one by one,
// and none is lost or sent twice.
func (u *UDP) Send(b *Batch) (int, error) {
	sent := 0
	for foreign := 0; b.next < len(b.grams); {
		n, err := b.fill(u, u.segment)
		if err != nil {
			return sent, err
		}
		took, errno := u.sendBatch(u.fd, b.msgs[:n])
		if errno == 0 {
			u.countSegmented(b.runs[:took])
			sent += b.took(took)
			if took == 0 {
				return sent, ErrAgain
			}
			continue // the rest, if any: the first of it tells why the kernel stopped there
		}
		switch judge(errno, b.runs[0], b.grams[b.next].size) {
		case report:
			return sent, fault(errno)
		case retry:
			if foreign++; foreign > foreignErrors {
				return sent, fault(errno)
			}
			u.counts.Foreign++
		case smaller:
			u.counts.Refused++
			u.segment = b.grams[b.next].size - 1
		case switched:
			u.counts.Refused++
			u.offload, u.segment = OffloadRefused, 0
		}
	}
	return sent, nil
}

func (u *UDP) countSegmented(runs []int) {
	for _, run := range runs {
		if run > 1 {
			u.counts.Segmented++
		}
	}
}

// sendBatch is the system call: as many messages as the kernel takes, or why it does not take the first.
func sendBatch(fd int, msgs []mmsghdr) (int, syscall.Errno) {
	if len(msgs) == 1 {
		_, _, errno := unix.RawSyscall(unix.SYS_SENDMSG, uintptr(fd), uintptr(unsafe.Pointer(&msgs[0].hdr)), dontWait)
		if errno != 0 {
			return 0, errno
		}
		return 1, 0
	}
	n, _, errno := unix.RawSyscall6(unix.SYS_SENDMMSG, uintptr(fd), uintptr(unsafe.Pointer(&msgs[0])), uintptr(len(msgs)), dontWait, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

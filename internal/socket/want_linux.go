package socket

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Want says of what the events of a socket in the set tell: of reading, writing, both or neither. That the socket
// is broken they tell always.
func (p *Poller) Want(fd int, token uint64, read, write bool) error {
	if !p.enter() {
		return ErrClosed
	}
	defer p.leave()
	ev := unix.EpollEvent{}
	if read {
		ev.Events |= unix.EPOLLIN | unix.EPOLLRDHUP
	}
	if write {
		ev.Events |= unix.EPOLLOUT
	}
	setToken(&ev, token)
	if err := unix.EpollCtl(p.epoll, unix.EPOLL_CTL_MOD, fd, &ev); err != nil {
		return fmt.Errorf("socket: change what is awaited of descriptor %d: %w", fd, err)
	}
	return nil
}

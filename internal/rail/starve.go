package rail

import "slices"

// A packet that finds no connection, or no buffer, is offered again when there is one, and not with every
// poll: a rank with a thousand peers would do little else.

// starved are peers whose packets wait for a buffer, by the smallest one that would do, in the order in
// which they found none.
type starved [3][]*peer

// room returns a buffer for another frame, if the stream has room for one.
func (p *peer) room(size int) *buffer {
	if p.out.Full() || len(p.unsent) > 0 {
		p.link.Counters.CreditStalls++
		return nil
	}
	b := p.link.sendBuffer(size)
	if b == nil {
		p.starve(size)
	}
	return b
}

// sendBuffer returns a buffer of at least so many bytes, the smallest there is.
func (l *Link) sendBuffer(size int) *buffer {
	for i := l.sizeClass(size); i < len(l.sending); i++ {
		if b := l.sending[i].get(); b != nil {
			return b
		}
	}
	return nil
}

// sizeClass is the first of the sending pools whose buffers have so many bytes.
func (l *Link) sizeClass(size int) int {
	i := 0
	for i < len(l.sending)-1 && size > l.sending[i].size {
		i++
	}
	return i
}

// starve notes that a frame of so many bytes to the peer found no buffer.
func (p *peer) starve(size int) {
	if p.starved {
		return
	}
	p.starved = true
	waiting := &p.link.starved[p.link.sizeClass(size)]
	*waiting = append(*waiting, p)
}

// Reaching tells that nothing can be sent to a peer before Reached has named it.
func (l *Link) Reaching(rank int) bool {
	p := l.peers.at(rank)
	return p != nil && p.lost == nil && (p.starved || p.wanted && !p.open())
}

// Reached lists the peers, since the last call, that packets waited for and can go to by now, or that are lost.
func (l *Link) Reached() []int {
	buffers := 0
	for i, p := range slices.Backward(l.sending[:]) {
		buffers += p.limit - p.used
		l.feed(&l.starved[i], buffers)
	}
	l.reached[0], l.reached[1] = l.reached[1][:0], l.reached[0]
	return l.reached[1]
}

// feed names as many peers as there are buffers for. Those who do not take one leave it to the next ones,
// with the next call.
func (l *Link) feed(waiting *[]*peer, buffers int) {
	n := min(len(*waiting), max(buffers, 0))
	for _, p := range (*waiting)[:n] {
		p.starved = false
		l.reached[0] = append(l.reached[0], p.rank)
	}
	if *waiting = (*waiting)[n:]; len(*waiting) == 0 {
		*waiting = nil
	}
}

// noteReached: there is a connection to the peer, or there will be none.
func (p *peer) noteReached() {
	if p.wanted || p.lost != nil {
		p.link.reached[0] = append(p.link.reached[0], p.rank)
	}
}

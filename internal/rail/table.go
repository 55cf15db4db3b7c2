package rail

// peerTable finds peers by rank. It has a page for each run of ranks of which one has said something, or
// was said something: in a large job most ranks talk to few.
type peerTable []*[peerPage]*peer

const peerPage = 64

// newPeerTable makes the table of a job's ranks.
func newPeerTable(size int) peerTable { return make(peerTable, (size+peerPage-1)/peerPage) }

// at is a peer, nil if nothing was said yet. The rank is one of the job.
func (t peerTable) at(rank int) *peer {
	if page := t[rank/peerPage]; page != nil {
		return page[rank%peerPage]
	}
	return nil
}

// set adds a peer.
func (t peerTable) set(rank int, p *peer) {
	page := &t[rank/peerPage]
	if *page == nil {
		*page = new([peerPage]*peer)
	}
	(*page)[rank%peerPage] = p
}

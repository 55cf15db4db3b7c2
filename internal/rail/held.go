package rail

// Held is what a link holds on behalf of messages that are not over. When all are, and peers have acknowledged them, all of it
// is 0.
type Held struct {
	Frames    int // buffers of frames on their way out
	Words     int // frames among them that are the link's own, about connections, and not acknowledged
	Exposures int // pieces of memory that peers may read or write
	Parts     int // of long messages under way
	Lost      int // peers that are lost; what was held for them is no longer
}

// Held tells what is held now.
func (l *Link) Held() Held {
	h := Held{Frames: l.small.used + l.large.used, Exposures: len(l.exposed), Parts: len(l.ops) - len(l.freeOps)}
	for _, p := range l.known {
		if p.lost != nil {
			h.Lost++
		}
		p.out.Each(func(b *buffer) {
			if kind(b.mem[0]).word() {
				h.Words++
			}
		})
	}
	return h
}

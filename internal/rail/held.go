package rail

// Held is what a link holds on behalf of messages that are not over. When all are, and peers have acknowledged them, all of it
// is 0.
type Held struct {
	Frames    int // on their way out, not acknowledged
	Copies    int // buffers of others that the device still sends from: copies of what was there already
	Words     int // frames among them that are the link's own, about connections, and not acknowledged
	Exposures int // pieces of memory that peers may read or write
	Parts     int // of long messages under way
	Lost      int // peers that are lost; what was held for them is no longer
}

// Held tells what is held now.
func (l *Link) Held() Held {
	l.takeAck()
	h := Held{Exposures: l.mem.Exposed(), Parts: l.ops.open()}
	for _, p := range l.known {
		h.Frames += p.out.InFlight()
		if p.lost != nil {
			h.Lost++
		}
		p.out.Each(func(b *buffer) {
			if kind(b.mem[0]).word() {
				h.Words++
			}
		})
	}
	h.Copies = -h.Frames
	for _, p := range l.sending {
		h.Copies += p.used
	}
	return h
}

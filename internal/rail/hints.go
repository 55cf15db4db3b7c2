package rail

// Announces tells that messages may wait until their receivers have announced themselves: devices write into peers' memory, or
// packets carry what they cannot write.
func (l *Link) Announces() {}

// hintedPath is where the express lane to a peer is tried first: on the rail that the first packet asked for, so that partners of
// algorithms which send on all rails at a time get one each. All frames to a peer take one lane, which keeps their order; if it
// breaks, the next path is tried, whatever packets ask for.
func (p *peer) hintedPath() int {
	if p.hint == 0 {
		return 0
	}
	want := int(p.hint-1) % len(p.paths)
	for i, pa := range p.paths {
		if pa.local == want {
			return i
		}
	}
	return want
}

package wire

// Cargo is data that do not lie next to each other: it copies between their packed form, from byte at on, and where
// they belong. Both answer how many bytes they have copied: all that the slice holds, or as many as there are.
type Cargo interface {
	Pack(dst []byte, at int) int
	Unpack(src []byte, at int) int
}

// Target is a token of Sink's that takes the payload of its packet piece by piece, instead of in the memory that came
// with it: the byte at of the payload and those behind it. It is given all of them, or none, before End.
type Target interface{ Put(piece []byte, at int) }

// Load packs bytes of the payload into dst: those from at on.
func (p *Packet) Load(dst []byte, at int) {
	if p.Source != nil {
		p.Source.Pack(dst, p.At+at)
		return
	}
	copy(dst, p.Data[at:])
}

// Packed has Data hold the payload itself, for a link that does not ask a Source.
func (p *Packet) Packed() {
	if p.Source != nil {
		p.Source.Pack(p.Data, p.At)
		p.Source = nil
	}
}

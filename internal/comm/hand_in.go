package comm

import "fmt"

// HandIn gives a text of every rank to rank 0, which gets all of them in the order of ranks; the others get nil. All
// ranks call it.
func (c *Comm) HandIn(text []byte, tag int) ([][]byte, error) {
	if c.Rank() != 0 {
		return nil, c.Send(text, 0, tag, Standard)
	}
	all := [][]byte{text}
	for peer := 1; peer < c.Size(); peer++ {
		st, err := c.Probe(peer, tag)
		if err == nil {
			text = make([]byte, st.Bytes)
			_, err = c.Recv(text, peer, tag)
		}
		if err != nil {
			return nil, fmt.Errorf("what rank %d hands in: %w", peer, err)
		}
		all = append(all, text)
	}
	return all, nil
}

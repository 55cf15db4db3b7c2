package crypt

// Reader takes records out of a stream that comes in parts of any length. It owns no memory: who receives
// lends it some, and takes it back when nothing is left in it.
type Reader struct {
	In    *Opener
	buf   []byte
	r, w  int    // buf[r:w] are records that are not opened yet, the last one perhaps not whole
	plain []byte // of a record that was opened where it is, what has not been read; lies in buf before r
}

// Lend gives it memory to receive into, of at least MaxRecord bytes, while it has none.
func (r *Reader) Lend(buf []byte) { r.buf, r.r, r.w = buf, 0, 0 }

// Lent tells whether it has memory.
func (r *Reader) Lent() bool { return r.buf != nil }

// Back takes the memory back if nothing is in it; otherwise it is nil.
func (r *Reader) Back() []byte {
	if r.r < r.w || len(r.plain) > 0 {
		return nil
	}
	return r.Drop()
}

// Drop takes the memory back with whatever is in it.
func (r *Reader) Drop() []byte {
	buf := r.buf
	r.buf, r.plain, r.r, r.w = nil, nil, 0, 0
	return buf
}

// Room is where to receive more, and Got says how many bytes came there. There is room unless something is
// Ready.
func (r *Reader) Room() []byte {
	if len(r.plain) == 0 && r.r > 0 {
		r.w = copy(r.buf, r.buf[r.r:r.w])
		r.r = 0
	}
	return r.buf[r.w:]
}

// Got notes that n bytes have been received.
func (r *Reader) Got(n int) { r.w += n }

// Ready tells whether Read can do something without more being received, be it to find something wrong.
func (r *Reader) Ready() bool {
	if len(r.plain) > 0 {
		return true
	}
	n, err := RecordSize(r.buf[r.r:r.w])
	return err != nil || n > 0 && r.w-r.r >= n
}

// Read fills b as far as what was received goes, and tells how many bytes that were. Records that fit are
// opened into b: if one of them is wrong, so much of b is zero as it would have filled.
func (r *Reader) Read(b []byte) (n int, err error) {
	for n < len(b) {
		if len(r.plain) > 0 {
			k := copy(b[n:], r.plain)
			r.plain = r.plain[k:]
			n += k
			continue
		}
		size, err := RecordSize(r.buf[r.r:r.w])
		if err != nil {
			r.In.broken = err
			return n, err
		}
		if size == 0 || r.w-r.r < size {
			break
		}
		record := r.buf[r.r : r.r+size]
		if dst := b[n:n:len(b)]; cap(dst) >= size-Overhead {
			out, err := r.In.Open(dst, record)
			if err != nil {
				return n, err
			}
			n += len(out)
		} else if r.plain, err = r.In.Open(record[HeadSize:HeadSize], record); err != nil {
			return n, err
		}
		r.r += size
	}
	return n, nil
}

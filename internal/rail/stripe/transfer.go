package stripe

// Transfer is one message on its way. Its zero value is finished; Start begins another one with it.
type Transfer struct {
	n        int           // bytes
	left     int           // bytes that have not arrived
	off      int           // where the part begins that was not cut yet
	unit     int           // length of a piece
	ways     int           // mode Even: pieces
	cut      int           // mode Even: pieces cut so far
	whole    bool          // not cut, unless it is longer than the longest piece
	turn     int           // path that is preferred among equals
	on       int           // 1 + the path that it shall take, if it is not cut; 0: any
	given    [MaxPaths]int // bytes under way or arrived, by path
	returned []span        // pieces that failed
}

type span struct{ off, n int }

// Piece is a part of a transfer that takes one path.
type Piece struct {
	Path, Off, Len int
	posted         int64
}

// Finished tells whether all bytes have arrived.
func (x *Transfer) Finished() bool { return x.left == 0 }

// Given tells whether all pieces are under way or have arrived.
func (x *Transfer) Given() bool { return x.off == x.n && len(x.returned) == 0 }

// Start begins a transfer of n bytes with x, which is finished.
func (s *Scheduler) Start(x *Transfer, n int) {
	n = max(n, 0)
	*x = Transfer{n: n, left: n, returned: x.returned[:0]}
	ways := max(1, s.Usable())
	if x.whole = n <= s.cfg.Min || s.cfg.Paths == 1 || s.cfg.Mode == Multiplex; x.whole {
		s.count.Whole++
		x.unit = s.cfg.Most
		return
	}
	s.count.Cut++
	x.turn = s.turn
	s.turn = (s.turn + 1) % s.cfg.Paths
	if s.cfg.Mode == Even {
		x.ways = max(ways, ceil(n, s.cfg.Most))
		return
	}
	x.unit = s.unit(n, ways)
}

// StartOn is Start for a transfer that shall take one path, unless that is down or the transfer is cut.
func (s *Scheduler) StartOn(x *Transfer, n, path int) {
	s.Start(x, n)
	if x.whole && path >= 0 && path < s.cfg.Paths {
		x.on = path + 1
	}
}

// StartWhole is StartOn for a transfer that is not cut, however long it is.
func (s *Scheduler) StartWhole(x *Transfer, n, path int) {
	n = max(n, 0)
	*x = Transfer{n: n, left: n, returned: x.returned[:0], whole: true, unit: s.cfg.Most, on: path + 1}
	s.count.Whole++
}

// unit is the length of the pieces of n bytes: at most a chunk, and so short that every path can have its share.
func (s *Scheduler) unit(n, ways int) int {
	unit := ceil(n, ways)
	if _, equal := s.weights(); !equal {
		unit = max(ceil(n, 8*ways), leastChunk)
	}
	unit = min(unit, s.cfg.Chunk)
	if unit > align {
		unit = ceil(unit, align) * align
	}
	return min(unit, s.cfg.Most)
}

func ceil(a, b int) int { return (a-1)/b + 1 }

// Next is the next piece to post. There is none while the right paths are busy (ask again after a Done or Fail), when
// all pieces are under way, or when all paths are down.
func (s *Scheduler) Next(x *Transfer, now int64) (Piece, bool) {
	part, ok := x.next()
	if !ok {
		return Piece{}, false
	}
	i := s.choose(x, part.n, now)
	if i < 0 {
		return Piece{}, false
	}
	if k := len(x.returned); k > 0 {
		x.returned = x.returned[:k-1]
	} else {
		x.off += part.n
		x.cut++
	}
	x.given[i] += part.n
	s.posted(i)
	p := &s.paths[i]
	if p.pieces == 0 {
		p.since = now
	}
	p.pieces++
	p.bytes += part.n
	s.count.Bytes[i] += uint64(part.n)
	s.count.Pieces[i]++
	return Piece{Path: i, Off: part.off, Len: part.n, posted: now}, true
}

// next is the part to post next: one that failed before, or the front of what is not cut.
func (x *Transfer) next() (span, bool) {
	switch rest := x.n - x.off; {
	case len(x.returned) > 0:
		return x.returned[len(x.returned)-1], true
	case rest == 0:
		return span{}, false
	case x.ways > 0:
		return span{x.off, ceil(rest, x.ways-x.cut)}, true
	default:
		return span{x.off, min(x.unit, rest)}, true
	}
}

// Done says that a piece arrived.
func (s *Scheduler) Done(x *Transfer, p Piece, now int64) {
	path := &s.paths[p.Path]
	if p.Len >= min(leastChunk, s.cfg.Chunk) {
		path.sample(p.Len, p.posted, now)
	}
	path.pieces--
	path.bytes -= p.Len
	path.since = max(path.since, now)
	x.left -= p.Len
	if path.good++; path.state == probation && path.good >= probeGood {
		path.state = up
		s.ups++
	}
}

// Fail says that a piece may not have arrived: Next will give it out again.
func (s *Scheduler) Fail(x *Transfer, p Piece) {
	path := &s.paths[p.Path]
	path.pieces--
	path.bytes -= p.Len
	x.given[p.Path] -= p.Len
	x.returned = append(x.returned, span{p.Off, p.Len})
	s.count.Returned++
}

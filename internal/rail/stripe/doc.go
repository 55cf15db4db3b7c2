// Package stripe owns the choice of paths where two peers have several: which one a message takes, and how a long one
// is cut over all of them.
//
// It promises that the pieces of a transfer cover each of its bytes once, however paths die and come back,
// that equal paths carry equal numbers of bytes within one piece unless one of them runs dry meanwhile,
// that unequal ones carry bytes in proportion to what they were measured to move, and that a path which
// does not move holds up nothing but the pieces it already has. It allocates nothing unless a piece fails.
// It is pure: it neither posts nor polls, time comes in as an argument, and it must not know what a path
// is. It has no lock; the rail calls it under its own.
//
// # The caller's loop
//
//	s.Start(&x, len(message))
//	for p, ok := s.Next(&x, now); ok; p, ok = s.Next(&x, now) { post(message[p.Off:p.Off+p.Len], p.Path) }
//	// for each completion:        s.Done(&x, p, now), or s.Fail(&x, p) and perhaps s.Down(p.Path); then Next again
//	// until x.Finished()
//
// # How a piece finds its path
//
// Up to Config.Min bytes, a message is one piece; such pieces go round robin, or on the path that StartOn
// names. A longer one is cut, in mode Even into one piece per path, in mode Adaptive into pieces of at most
// Config.Chunk bytes, each of which goes to the path that would be done first with its share of this
// transfer, (bytes given to it + piece) / rate. Three rules keep the others busy:
//
//   - A path has at most Config.Window pieces under way. If the right one has that many, the piece waits for it,
//   - unless another path is idle and will be done with the piece before the others could be with all that is left: that
//     one takes it out of turn;
//   - and a path that has not moved a piece in twice the time its rate promises is late, and gets nothing more until it
//     has.
//
// Rates are bytes over busy time of the last dozen pieces or so, with older ones counting less. Short pieces tell of
// latency, not of rates, and do not count. Rates within a tenth of each other are taken as equal.
//
// A path that came back gets one piece at a time, and only every 16th, until four of them have arrived.
package stripe

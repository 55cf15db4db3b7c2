package progress

// pieceBytes is how much one call of copy moves for a plan. From 1 MB on Go's copy writes around the
// caches, which takes twice as long on some hosts and a fourth less on others; pieces of this length are
// written like any other memory.
const pieceBytes = 256 << 10

// copyPieces copies src to dst, which is as long and does not overlap it, as fast on every host as its caches are.
func copyPieces(dst, src []byte) {
	for len(src) > pieceBytes {
		copy(dst, src[:pieceBytes])
		dst, src = dst[pieceBytes:], src[pieceBytes:]
	}
	copy(dst, src)
}

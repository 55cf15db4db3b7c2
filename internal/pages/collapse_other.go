//go:build !linux

package pages

// collapse does nothing: this system has no way to put memory on huge pages that is in use.
func collapse(uint64) bool { return false }

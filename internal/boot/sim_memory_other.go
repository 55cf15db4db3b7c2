//go:build !linux

package boot

func prepareMemory(int) {}

package pages

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
)

// private tells whether the memory from first to last is this process's alone, and no file's.
func private(first, last uint64) bool {
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		return false
	}
	defer f.Close()
	return listsPrivate(f, first, last)
}

// listsPrivate looks in the list of a process's mappings whether all bytes from first to last are
// in private, writable ones without a file behind them.
func listsPrivate(maps io.Reader, first, last uint64) bool {
	lines := bufio.NewScanner(maps)
	for lines.Scan() && first < last {
		f := strings.Fields(lines.Text()) // addresses, rights, offset, device, inode, perhaps a name
		if len(f) < 5 {
			return false
		}
		low, high, dash := strings.Cut(f[0], "-")
		from, err := strconv.ParseUint(low, 16, 64)
		to, err2 := strconv.ParseUint(high, 16, 64)
		switch {
		case !dash || err != nil || err2 != nil:
			return false
		case to <= first:
			continue
		case from > first || f[1] != "rw-p" || f[4] != "0" || len(f) > 5 && strings.HasPrefix(f[5], "[stack"):
			return false
		}
		first = to
	}
	return first >= last
}

package pmi

import (
	"fmt"
	"strings"
)

// wordAlphabet reports whether c passes unharmed through every known manager, inside keys and values alike.
func wordAlphabet(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	}
	return strings.IndexByte("._:,/+=-", c) >= 0
}

// Escape writes any text as one word of the alphabet [A-Za-z0-9._:,/+=-] and '%', by replacing every other byte with
// %XX. It serves the weft_ commands, whose both ends are Weft; foreign managers never see it.
func Escape(text string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(len(text))
	for i := range len(text) {
		c := text[i]
		if wordAlphabet(c) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}

// Unescape undoes Escape. Only what Escape can write is accepted, so that equal texts are equal words.
func Unescape(word string) (string, error) {
	var b strings.Builder
	b.Grow(len(word))
	for i := 0; i < len(word); i++ {
		c := word[i]
		if wordAlphabet(c) {
			b.WriteByte(c)
			continue
		}
		if c != '%' || i+2 >= len(word) {
			return "", fmt.Errorf("%w: bad escape in %q", ErrLine, clip(word))
		}
		hi, lo := hexDigit(word[i+1]), hexDigit(word[i+2])
		if hi < 0 || lo < 0 || wordAlphabet(byte(hi<<4|lo)) {
			return "", fmt.Errorf("%w: bad escape in %q", ErrLine, clip(word))
		}
		b.WriteByte(byte(hi<<4 | lo))
		i += 2
	}
	return b.String(), nil
}

func hexDigit(c byte) int {
	return strings.IndexByte("0123456789ABCDEF", c)
}

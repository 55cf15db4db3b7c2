package tune

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Auto leaves a number to whoever knows the device.
const Auto = -1

// Bytes is a row for a number of bytes.
func Bytes(name string, dst *int, least, most int, text string) Row {
	return Row{Name: name, Text: text,
		Get: func() string { return formatBytes(*dst) },
		Set: func(words string) error {
			n, err := parseBytes(words, most)
			if err == nil && n < least {
				err = fmt.Errorf("must be at least %d bytes", least)
			}
			if err == nil {
				*dst = n
			}
			return err
		}}
}

// BytesOrAuto is Bytes, or Auto for the word auto.
func BytesOrAuto(name string, dst *int, least, most int, text string) Row {
	return orAuto(Bytes(name, dst, least, most, text), dst)
}

// CountOrAuto is Count, or Auto for the word auto.
func CountOrAuto(name string, dst *int, least, most int, text string) Row {
	return orAuto(Count(name, dst, least, most, text), dst)
}

// orAuto has a row take the word auto, too.
func orAuto(r Row, dst *int) Row {
	get, set := r.Get, r.Set
	r.Get = func() string {
		if *dst == Auto {
			return "auto"
		}
		return get()
	}
	r.Set = func(words string) error {
		if words == "auto" {
			*dst = Auto
			return nil
		}
		return set(words)
	}
	return r
}

// Count is a row for a number.
func Count(name string, dst *int, least, most int, text string) Row {
	return Row{Name: name, Text: text,
		Get: func() string { return strconv.Itoa(*dst) },
		Set: func(words string) error {
			n, err := strconv.Atoi(words)
			if err != nil || n < least || n > most {
				return fmt.Errorf("must be a number from %d to %d", least, most)
			}
			*dst = n
			return nil
		}}
}

// Share is a row for a part of a whole, from 0 to 1.
func Share(name string, dst *float64, text string) Row {
	return Row{Name: name, Text: text,
		Get: func() string {
			if *dst == 0 {
				return "0"
			}
			return strconv.FormatFloat(100**dst, 'g', 6, 64) + "%"
		},
		Set: func(words string) error {
			x, err := strconv.ParseFloat(strings.TrimSuffix(words, "%"), 64)
			if strings.HasSuffix(words, "%") {
				x /= 100
			}
			if err != nil || !(x >= 0 && x <= 1) {
				return errors.New("must be a share such as 0.25 or 25%")
			}
			*dst = x
			return nil
		}}
}

// Time is a row for a time in nanoseconds.
func Time[T ~int64](name string, dst *T, text string) Row {
	return Row{Name: name, Text: text,
		Get: func() string { return formatTime(int64(*dst)) },
		Set: func(words string) error {
			d, err := parseTime(words)
			if err == nil {
				*dst = T(d)
			}
			return err
		}}
}

// Switch is a row for what is on or off.
func Switch(name string, dst *bool, text string) Row { return onOff(name, dst, true, text) }

// Unless is a Switch for a field that says what is left out: it is true when the setting is off.
func Unless(name string, dst *bool, text string) Row { return onOff(name, dst, false, text) }

// onOff is a row for a field that has the value on when the setting is on.
func onOff(name string, dst *bool, on bool, text string) Row {
	words := map[bool]string{on: "on", !on: "off"}
	return Row{Name: name, Text: text,
		Get: func() string { return words[*dst] },
		Set: func(word string) error {
			return choose(word, []string{"on", "off"}, func(i int) { *dst = on == (i == 0) })
		}}
}

// Word is a row for one of some words.
func Word(name string, dst *string, text string, words ...string) Row {
	return Row{Name: name, Text: text,
		Get: func() string { return *dst },
		Set: func(word string) error { return choose(word, words, func(int) { *dst = word }) }}
}

// Enum is a row for a constant that has a name: names are those of 0, 1 and so on.
func Enum[T ~uint8](name string, dst *T, names []string, text string) Row {
	return Row{Name: name, Text: text,
		Get: func() string { return names[*dst] },
		Set: func(word string) error { return choose(word, names, func(i int) { *dst = T(i) }) }}
}

// Text is a row for any words of which check does not complain.
func Text(name string, dst *string, check func(words string) error, text string) Row {
	return Row{Name: name, Text: text,
		Get: func() string { return *dst },
		Set: func(words string) error {
			err := check(words)
			if err == nil {
				*dst = words
			}
			return err
		}}
}

// choose calls take with the place of word among words.
func choose(word string, words []string, take func(int)) error {
	i := slices.Index(words, word)
	if i < 0 {
		return fmt.Errorf("must be one of %s", strings.Join(words, ", "))
	}
	take(i)
	return nil
}

// longestTime bounds settings that are times, so that they can be added to a moment and to each other.
const longestTime = 1e8 * time.Second

// parseTime takes Go's form ("90s", "2m") or a plain number of seconds.
func parseTime(words string) (time.Duration, error) {
	if n, err := strconv.ParseFloat(words, 64); err == nil && n >= 0 && n <= longestTime.Seconds() {
		return time.Duration(n * float64(time.Second)), nil
	}
	d, err := time.ParseDuration(words)
	if err != nil || d < 0 || d > longestTime {
		return 0, errors.New("must be a time such as 90s, 2m or 0")
	}
	return d, nil
}

// formatTime writes a time in the largest unit up to seconds that it is a whole number of.
func formatTime(ns int64) string {
	for _, unit := range []struct {
		name string
		ns   int64
	}{{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}} {
		if ns != 0 && ns%unit.ns == 0 {
			return strconv.FormatInt(ns/unit.ns, 10) + unit.name
		}
	}
	if ns == 0 {
		return "0"
	}
	return strconv.FormatInt(ns, 10) + "ns"
}

// parseBytes takes a number of bytes with an optional K, M or G (powers of 1024).
func parseBytes(words string, most int) (int, error) {
	digits := strings.TrimRight(words, "kKmMgGiB")
	shift, ok := map[string]int{"": 0, "K": 10, "M": 20, "G": 30, "KIB": 10, "MIB": 20, "GIB": 30, "B": 0}[strings.ToUpper(words[len(digits):])]
	n, err := strconv.ParseUint(digits, 10, 62)
	if err != nil || !ok || n > uint64(most)>>shift {
		return 0, fmt.Errorf("must be a number of bytes up to %d, such as 65536, 64K or 1G", most)
	}
	return int(n << shift), nil
}

// formatBytes writes a number of bytes in the largest unit that it is a whole number of.
func formatBytes(n int) string {
	for _, unit := range []struct {
		name  string
		shift int
	}{{"G", 30}, {"M", 20}, {"K", 10}} {
		if whole := n >> unit.shift; whole > 0 && whole<<unit.shift == n {
			return strconv.Itoa(whole) + unit.name
		}
	}
	return strconv.Itoa(n)
}

package boot

import (
	"fmt"
	"strings"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/model"
	"github.com/weft-mpi/weft/internal/tune"
	"github.com/weft-mpi/weft/internal/userfile"
)

// CollRules reads the rules of WEFT_COLL, in which @FILE stands for the rules of a file, as weft tune
// writes them. It also returns them as text in which no file is named, for ranks on hosts that may not have
// it.
func CollRules(text string) (rules []coll.Rule, inline string, err error) {
	inline, err = withoutFiles("WEFT_COLL", text, func(content string) (string, error) {
		own, err := coll.Parse(content)
		var lines []string
		for _, r := range own {
			lines = append(lines, r.String())
		}
		return strings.Join(lines, ","), err
	})
	if err != nil {
		return nil, "", err
	}
	if rules, err = coll.Parse(inline); err != nil {
		return nil, "", fmt.Errorf("%w: WEFT_COLL: %w", tune.ErrBad, err)
	}
	return rules, inline, nil
}

// Machine reads the numbers of WEFT_MACHINE, which change those of usual; @FILE stands for the
// numbers of a file, as weft tune writes them. It also returns them as text in which no file is named.
func Machine(text string, usual model.Machine) (m model.Machine, inline string, err error) {
	inline, err = withoutFiles("WEFT_MACHINE", text, func(content string) (string, error) {
		own, err := usual.Parse(content)
		return own.String(), err
	})
	if err != nil {
		return m, "", err
	}
	if m, err = usual.Parse(inline); err != nil {
		return m, "", fmt.Errorf("%w: WEFT_MACHINE: %w", tune.ErrBad, err)
	}
	return m, inline, nil
}

// withoutFiles returns the value of a setting, pieces joined by commas, with what read makes of the
// contents of a file instead of @FILE.
func withoutFiles(setting, text string, read func(content string) (string, error)) (string, error) {
	var pieces []string
	for piece := range strings.SplitSeq(text, ",") {
		piece = strings.TrimSpace(piece)
		name, isFile := strings.CutPrefix(piece, "@")
		if isFile {
			content, err := userfile.Read(name)
			if err != nil {
				return "", fmt.Errorf("%w: %s: %w; weft tune --save FILE writes one", tune.ErrBad, setting, err)
			}
			if piece, err = read(string(content)); err != nil {
				return "", fmt.Errorf("%w: %s: file %s: %w", tune.ErrBad, setting, name, err)
			}
		}
		pieces = append(pieces, piece)
	}
	return strings.Join(pieces, ","), nil
}

// selector chooses by the settings on a machine that is usually like this.
func selector(set *Settings, usual model.Machine) (*coll.Selector, error) {
	rules, _, err := CollRules(set.Coll)
	if err != nil {
		return nil, err
	}
	m, _, err := Machine(set.Machine, usual)
	if err != nil {
		return nil, err
	}
	s := coll.For(m).With(rules...)
	if set.Binding {
		s = s.Binding()
	}
	return s, nil
}

// Selector returns the selector that ranks with these settings have.
func Selector(set *Settings) (*coll.Selector, error) { return selector(set, model.Ethernet) }

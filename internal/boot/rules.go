package boot

import (
	"fmt"
	"strings"

	"github.com/weft-mpi/weft/internal/coll"
	"github.com/weft-mpi/weft/internal/tune"
	"github.com/weft-mpi/weft/internal/userfile"
)

// CollRules reads the rules of WEFT_COLL, in which @FILE stands for the rules of a file, as weft tune writes them. It also
// returns them as text in which no file is named, for ranks on hosts that may not have it.
func CollRules(text string) (rules []coll.Rule, inline string, err error) {
	var pieces []string
	for piece := range strings.SplitSeq(text, ",") {
		piece = strings.TrimSpace(piece)
		name, isFile := strings.CutPrefix(piece, "@")
		if !isFile {
			pieces = append(pieces, piece)
			continue
		}
		content, err := userfile.Read(name)
		if err != nil {
			return nil, "", fmt.Errorf("%w: WEFT_COLL: rules in a file: %w; weft tune --save FILE writes one", tune.ErrBad, err)
		}
		own, err := coll.Parse(string(content))
		if err != nil {
			return nil, "", fmt.Errorf("%w: WEFT_COLL: file %s: %w", tune.ErrBad, name, err)
		}
		for _, r := range own {
			pieces = append(pieces, r.String())
		}
	}
	inline = strings.Join(pieces, ",")
	if rules, err = coll.Parse(inline); err != nil {
		return nil, "", fmt.Errorf("%w: WEFT_COLL: %w", tune.ErrBad, err)
	}
	return rules, inline, nil
}

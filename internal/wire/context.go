package wire

// A context is the number of a communicator and, in the lowest bits, a kind: messages of different kinds never
// meet, and those of one communicator end together.

// The kinds of messages that a communicator has.
const (
	Messages    uint32 = iota // the program's own
	Collectives               // of plans
	Partitions                // whose parts travel as they get ready
	Service                   // by which ranks make communicators
)

const (
	contextKinds = 4
	kindMask     = contextKinds - 1
	// KindBits is how many bits of a context tell its kind.
	KindBits = 2
)

// ContextKind is the kind of a context.
func ContextKind(ctx uint32) uint32 { return ctx & kindMask }

// ContextOf is the context of a kind, of the same communicator as ctx.
func ContextOf(ctx, kind uint32) uint32 { return ctx&^kindMask | kind }

// Related tells whether two contexts belong to one communicator.
func Related(a, b uint32) bool { return a>>KindBits == b>>KindBits }

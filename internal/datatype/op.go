package datatype

import "strconv"

// Op is a predefined reduction operation. All of them are commutative, and all
// but the floating-point Sum and Prod are exactly associative.
type Op uint8

// The predefined operations and the kinds they are defined for.
const (
	Sum  Op = iota // integers (wrapping), floats, complex
	Prod           // integers (wrapping), floats, complex
	Min            // integers, floats
	Max            // integers, floats
	LAnd           // integers, bool; non-zero is true, the result is 0 or 1
	LOr            // as LAnd
	LXor           // as LAnd
	BAnd           // integers
	BOr            // integers
	BXor           // integers

	opCount = int(BXor) + 1
)

var opNames = [opCount]string{
	Sum: "sum", Prod: "prod", Min: "min", Max: "max",
	LAnd: "land", LOr: "lor", LXor: "lxor",
	BAnd: "band", BOr: "bor", BXor: "bxor",
}

// String gives the operation's name in lower case, as tunables and traces
// spell it.
func (op Op) String() string {
	if int(op) >= opCount {
		return "Op(" + strconv.Itoa(int(op)) + ")"
	}
	return opNames[op]
}

package engine

// overlaid tells that rules can be taken away: an overlay has another answer.
const overlaid = false

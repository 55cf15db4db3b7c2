package soft

import "github.com/weft-mpi/weft/internal/verbs"

func newDatagramQP(b base) *rc { return newRC(b) }

var _ verbs.QP = (*rc)(nil)

package coll

import "github.com/weft-mpi/weft/internal/plan"

// allgather/pap_direct, allgatherv/pap_direct: everybody tells all others where
// it wants their blocks, which is also how they learn that it has arrived, and
// puts its own where it is wanted as soon as it hears.
//
// Steps: 1 round, p-1 messages per rank, none more than its twin. Cost: a +
// (p-1)nb after the last arrival at worst. Limits: none. Source: Qian, thesis,
// 6.4 (PAP_Direct, zero-copy).
func allgatherPAPDirect(b *plan.Builder, c Case) { allgatherZero(b, c, false) }

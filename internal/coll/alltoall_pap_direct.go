package coll

import "github.com/weft-mpi/weft/internal/plan"

// alltoall/pap_direct, alltoallv/pap_direct: everybody tells all others where it
// wants their blocks, which is also how they learn that it has arrived, and
// puts its own where they are wanted as soon as it hears: nobody waits for a
// late rank but for its block.
//
// Steps: 1 round, p-1 messages per rank, none more than its twin. Cost: a +
// (p-1)nb after the last arrival at worst. Limits: none; in place needs scratch
// for all that is sent. Source: Qian, thesis, 6.3 (PAP_Direct, zero-copy).
func alltoallPAPDirect(b *plan.Builder, c Case) { alltoallZero(b, c, false) }

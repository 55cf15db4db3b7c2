package coll

import "github.com/weft-mpi/weft/internal/plan"

// gather/smp: the ranks of a node put their blocks into its memory; its first
// rank sends them to the root in one message, different nodes by different
// rails.
//
// Steps: 1 round, m-1 messages for m nodes. Cost: a + (p-l)nb with l ranks on
// the root's node, one copy in, and copies out if the ranks of a node are not
// neighbours. Limits: nodes have memory that takes their blocks. Source: Qian,
// thesis, 4.3.
func gatherSMP(b *plan.Builder, c Case) { gatherNodes(b, c, false) }

func gatherSMPFits(c Case) bool { return c.Shares && c.MostLocal()*c.Bytes <= NodeMax }

package coll

// defaultRules is the table used when nobody says otherwise, in the syntax of
// Parse, one rule per line. For every operation the last rule takes every case.
//
// Where all ranks are on one node and share memory, short operations go through it: the limits of the rules with nodes1 were
// measured with weft tune on 2 and 4 and with weft bench on 2, 4, 8 and 16 ranks of 2 cores. Long blocks are fetched straight from
// the memory of other ranks where that is better than two copies. Where ranks share cores, rank 0 leaves a barrier first: what it
// sends next is there when others get their turn.
//
// Where nodes have several ranks each, operations go through their memory and over the network once per node: the rules with
// nodes2- and local2- were measured in the same way on two hosts of four ranks, in network namespaces of one machine with two
// cores, and so speak of crowded ones. Those for nodes whose ranks have a core each were found by weft tune in virtual time, for 2 and 4 nodes of 4
// ranks and 2 nodes of 8 with Ethernet of 10 Gbit/s, and are what wins in all of these: how they do on many nodes is not known.
//
// When ranks have to take turns on the cores (crowded), waiting for a turn costs
// more than messages do, so operations use the way with the fewest rounds that
// wait for one another, up to the length where copying takes over. The limits of
// the crowded rules were measured on 4, 8 and 16 ranks of 2 cores with
// weft bench OP -n N and WEFT_COLL=OP=WAY.
const defaultRules = `
barrier:nodes2-:local2-:crowded=smp
barrier:nodes2-8:local4-:roomy=smp
barrier:*:3-:nodes1:crowded=shm_tree
barrier:*:-64:nodes1=shm
barrier:*:-2=dissemination
barrier:*:-64:crowded=flat
barrier:*:65-:crowded=binomial
barrier=dissemination

bcast:nodes2-:local2-:crowded=smp
bcast:-4K:*:nodes2-8:local4-:roomy=smp
bcast:nodes2-8:local4-:roomy=smp_chain
bcast:-8K:2:nodes1=shm
bcast:-48K:2:nodes1=shm_fetch
bcast:48K-128K:3-6:nodes1=shm_fetch
bcast:-256K:3-64:nodes1=shm
bcast:-1M:5-64:nodes1=smp_chain
bcast:*:-64:crowded=flat
bcast:-1M:*:crowded=binomial
bcast:-16K=binomial
bcast:-512K:8-=scatter_doubling
bcast:-512K:-7=binomial
bcast:4M-:3-=chain
bcast:*:3-=scatter_ring
bcast=binomial

reduce:-32K:*:nodes2-:local2-:crowded=smp
reduce:128K-:*:nodes2-:local2-:crowded=smp
reduce:-1K:*:nodes2-8:local4-:roomy=smp
reduce:nodes2-8:local4-:roomy=smp_slices
reduce:-64K:-64:nodes1=smp
reduce:-128K:-32:crowded=flat
reduce:64K-1M:-8:nodes1=binomial
reduce:64K-:4-:commutative=rabenseifner
reduce=binomial

allreduce:1M-:*:nodes2-:local2-:crowded=smp_fetch
allreduce:nodes2-:local2-:crowded=smp
allreduce:-4K:*:nodes2-8:local4-:roomy=smp
allreduce:nodes2-8:local4-:roomy=smp_slices
allreduce:-2K:2:nodes1=shm
allreduce:-2K:3-6:nodes1=shm
allreduce:-64K:3-6:nodes1=shm_share
allreduce:64K-1M:3-6:nodes1=smp_slices
allreduce:-256K:7-64:nodes1=smp
allreduce:-1M:12-64:nodes1:crowded=smp
allreduce:-128K:3-32:crowded=flat
allreduce:-16K=doubling
allreduce:1M-:3-:roomy:commutative=ring
allreduce:*:*:commutative=rabenseifner
allreduce=doubling

gather:-8K:*:nodes2-:local2-:crowded=smp
gather:-4K:*:nodes2-8:local4-:roomy=knomial@2
gather:-8K:-64:nodes1=shm
gather:-4K:9-:roomy=knomial
gather=flat
gatherv=flat
scatter:-256K:*:nodes2-:local2-:crowded=smp
scatter:-1K:*:nodes2-8:local4-:roomy=smp
scatter:-4K:-64:nodes1=shm
scatter:-4K:9-:roomy=knomial
scatter=flat
scatterv=flat

allgather:-24K:*:nodes2-:local2-:crowded=shm_direct
allgather:512K-:*:nodes2:local4-:crowded=smp_fetch
allgather:nodes2-:local2-:crowded=smp_turns
allgather:256-64K:*:nodes2-8:local4-:roomy=groups
allgather:nodes2-8:local4-:roomy=smp_turns
allgather:-48:-64:nodes1=shm
allgather:-4K:2:nodes1=shm
allgather:*:2:nodes1=shm_fetch
allgather:-64K:3-64:nodes1=shm_direct
allgather:128K-:3-6:nodes1=shm_fetch
allgather:64K-:3-32:nodes1:crowded=flat
allgather:*:-2=flat
allgather:-512:9-16:crowded=bruck
allgather:-16K:-16:crowded=flat
allgather:-256K:-8:crowded=flat
allgather:-1K:17-:crowded=gather_bcast
allgather:-16K=doubling
allgather:16K-:*:crowded=doubling
allgather:-256K:-32:crowded=flat
allgather:-1K=bruck
allgather=ring
allgatherv:-16K:-16:crowded=flat
allgatherv:-1K:-16=flat
allgatherv=ring

alltoall:-8K:*:nodes2-:local2-:crowded=shm_direct
alltoall:-32K:*:nodes2:local4-:crowded=smp_partners
alltoall:-128K:-8:nodes2:local4-:crowded=smp_partners_fetch
alltoall:nodes2-:local2-:crowded=pap_direct
alltoall:-256:*:nodes2-8:local4-:roomy=pap_shm_direct
alltoall:-1K:*:nodes2-8:local4-:roomy=bruck@2
alltoall:-64:-64:nodes1=shm
alltoall:-4K:2:nodes1=shm
alltoall:*:2:nodes1=shm_fetch
alltoall:-8K:3-64:nodes1=shm_direct
alltoall:-4K:3-64:nodes1=shm
alltoall:-256K:3-6:nodes1=shm_fetch
alltoall:*:3-64:nodes1:crowded=shm_fetch
alltoall:-16K:7-64:nodes1=shm_fetch
alltoall:-256:8-:roomy=bruck
alltoall:-32K=flat
alltoall:*:-32:crowded=flat
alltoall:*:-4=flat
alltoall=pairwise
alltoallv:*:-32=flat
alltoallv=pairwise

scan:-64K:*:nodes1=shm
scan:-64K:*:nodes2-:local4-=smp
scan:64K-:*:crowded=chain
scan:64K-:-8=chain
scan:256K-=chain
scan=doubling
exscan:-64K:*:nodes1=shm
exscan:-64K:*:nodes2-:local4-=smp
exscan:64K-:*:crowded=chain
exscan:64K-:-8=chain
exscan:256K-=chain
exscan=doubling

reduce_scatter:-32K:*:nodes2-:local2-:crowded=smp
reduce_scatter:512-16K:*:nodes2-8:local4-:roomy=smp_slices
reduce_scatter:16K-:*:nodes2-8:local4-:roomy=pairwise
reduce_scatter:-128:2:nodes1=shm
reduce_scatter:*:2:commutative=halving
reduce_scatter:-1K:3-64:nodes1=smp
reduce_scatter:-16K:3-12:nodes1=smp_slices
reduce_scatter:-64K:*:commutative=halving
reduce_scatter:-1K=reduce_scatterv
reduce_scatter=pairwise
`

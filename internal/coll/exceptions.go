package coll

// exceptions are the cases in which measurements have shown that the model errs, in the syntax of
// Parse, each with its reason.
const exceptions = `
barrier:*:3-:nodes1:crowded=shm_tree # rank 0 leaves first: what it sends next is there when the others get their turn
gather:16K-:3-:nodes1:crowded=flat # who has sent its block is gone; through memory it waits for its turn
scatterv:*:3-:nodes1=smp # the root does not wait, and is not asked for each block
`

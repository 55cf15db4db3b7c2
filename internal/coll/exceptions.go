package coll

// exceptions are the cases in which measurements have shown that the model errs, in the syntax of
// Parse, each with its reason.
const exceptions = `
`

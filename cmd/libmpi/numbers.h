/* Written by go generate from internal/abi/spec. Do not edit. */
#define WEFT_FN_INITIALIZED 318
#define WEFT_FN_FINALIZED 220

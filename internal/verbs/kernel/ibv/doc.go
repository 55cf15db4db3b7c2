// Package ibv is the driver's side of RDMA hardware as Go sees it: the structs of libibverbs, byte for
// byte, its constants, and the few calls that a device is made of, as interfaces.
//
// It owns the layouts, which are frozen since IBVERBS_1.1; a test holds them against the C headers. Package
// ffi implements the interfaces by calling the library, tests implement them in Go. It calls nothing
// itself, and knows nothing of what the seam (package verbs) promises: drivers have rules of their own.
package ibv

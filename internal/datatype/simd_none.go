//go:build !amd64 || purego

package datatype

// accelerations is empty where there is no assembly.
func accelerations() []acceleration { return nil }

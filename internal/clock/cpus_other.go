//go:build !linux

package clock

import "errors"

// AllowedCPUs returns the CPUs this process may run on, which only Linux tells.
func AllowedCPUs() ([]int, error) { return nil, errors.ErrUnsupported }

package cluster

import "os/exec"

// OnSwitch returns the output of a program that runs where the switches are.
func OnSwitch(c *Cluster, args ...string) (output string, err error) {
	err = inNet(c.fabric.net, func() error {
		text, err := exec.Command(args[0], args[1:]...).CombinedOutput()
		output = string(text)
		return err
	})
	return output, err
}

package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/weft-mpi/weft/internal/cluster"
)

// visit makes a cluster, goes from one host to the other and tells where it came.
func visit() {
	c, err := cluster.Up(context.Background(), cluster.Config{Hosts: 2})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	defer c.Down()
	text, err := c.Command("h0", "ssh", "-o", "ConnectTimeout=20", "h1", "hostname").CombinedOutput()
	fmt.Printf("%s", text)
	if err != nil {
		fmt.Println(err)
	}
}

// TestRootOfUserNamespace: who is root in a user namespace alone, as "unshare -r --map-auto" makes it, can
// make a cluster too, though neither root's home nor the password file can be read there.
func TestRootOfUserNamespace(t *testing.T) {
	if missing := cluster.Missing(); len(missing) > 0 {
		t.Skip(missing)
	}
	users := []syscall.SysProcIDMap{{HostID: 100000, Size: 65536}}
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe") // by another name it might lie in a directory of root's alone
	cmd.Env = append(os.Environ(), part+"=visit")
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER, UidMappings: users, GidMappings: users,
		GidMappingsEnableSetgroups: true, Credential: &syscall.Credential{}}
	text, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) {
		t.Skip("no user namespaces: ", err)
	}
	if err != nil || string(text) != "h1\n" {
		t.Errorf("%v\n%s", err, text)
	}
}

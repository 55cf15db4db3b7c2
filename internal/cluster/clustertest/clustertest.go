// Package clustertest gives tests a cluster in a box. It owns the decision when such a test is skipped, and promises
// that the reason is said exactly. It knows the cluster and the test, nothing else.
package clustertest

import (
	"strings"
	"testing"

	"github.com/weft-mpi/weft/internal/cluster"
)

// Need skips the test where no cluster can be made, and says what is missing.
func Need(t testing.TB) {
	t.Helper()
	if missing := cluster.Missing(); len(missing) > 0 {
		t.Skipf("no cluster in a box: %s", strings.Join(missing, "; "))
	}
}

// Up makes a cluster that ends with the test.
func Up(t testing.TB, config cluster.Config) *cluster.Cluster {
	t.Helper()
	Need(t)
	c, err := cluster.Up(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Down)
	return c
}

package sched

import (
	"errors"
	"fmt"
)

// LeaderVariable and SizeVariable tell the pods of a Kubernetes Job with indexes what Kubernetes does not: where the
// leader is, which is the pod with index 0, and how many pods there are.
const (
	LeaderVariable = "WEFT_LEADER"
	SizeVariable   = "WEFT_SIZE"
)

// KeyFileVariable names a file with a secret of all ranks, by which those on several hosts know each other.
const KeyFileVariable = "WEFT_KEY_FILE"

// podPort is where the leader listens: a pod has its addresses for itself.
const podPort = 20000

// KubernetesStep is the place of a pod of a Job with indexes; found is false for others.
func KubernetesStep(get Get) (s Step, found bool, err error) {
	if get("JOB_COMPLETION_INDEX") == "" || get(LeaderVariable) == "" {
		return s, false, nil
	}
	s = Step{By: "Kubernetes", Leader: get(LeaderVariable), Name: "k8s." + get(LeaderVariable), Ports: []int{podPort}}
	err = errors.Join(number(get, "JOB_COMPLETION_INDEX", &s.Rank, 0), number(get, SizeVariable, &s.Size, 1))
	switch {
	case err != nil:
	case s.Rank >= s.Size:
		err = fmt.Errorf("JOB_COMPLETION_INDEX=%d is not below %s=%d", s.Rank, SizeVariable, s.Size)
	case !hostLetters(s.Leader):
		err = fmt.Errorf("%s=%.80q is no host", LeaderVariable, s.Leader)
	}
	if err != nil {
		err = fmt.Errorf("the pod's variables are damaged: %w", err)
	}
	s.Leads = s.Rank == 0
	return s, true, err
}

package sched

import (
	"reflect"
	"strings"
	"testing"
)

func TestKubernetesStep(t *testing.T) {
	pod := vars{"JOB_COMPLETION_INDEX": "2", "WEFT_SIZE": "4", "WEFT_LEADER": "job-0.job"}
	want := Step{By: "Kubernetes", Name: "k8s.job-0.job", Rank: 2, Size: 4, Leader: "job-0.job", Ports: []int{20000}}
	if got, found, err := KubernetesStep(pod.get); err != nil || !found || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, %v", got, found, err)
	}
	if got, _, err := KubernetesStep(pod.with("JOB_COMPLETION_INDEX", "0").get); err != nil || !got.Leads {
		t.Errorf("%+v, %v", got, err)
	}
	for _, missing := range []string{"JOB_COMPLETION_INDEX", "WEFT_LEADER"} {
		if _, found, err := KubernetesStep(pod.with(missing, "").get); found || err != nil {
			t.Errorf("without %s: %v, %v", missing, found, err)
		}
	}
	for name, value := range map[string]string{"JOB_COMPLETION_INDEX": "4", "WEFT_SIZE": "", "WEFT_LEADER": "job-0.job:22"} {
		if s, found, err := KubernetesStep(pod.with(name, value).get); !found || err == nil || !strings.Contains(err.Error(), "the pod's variables are damaged") {
			t.Errorf("%s=%s: %+v, %v", name, value, s, err)
		}
	}
}

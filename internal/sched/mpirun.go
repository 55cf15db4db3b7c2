package sched

import (
	"errors"
	"fmt"
	"strings"
)

// OpenMPIStep is the place of a process that Open MPI's mpirun, or prterun, has started; found is false for others, and
// for tasks of srun, which has PMIx, too. The launcher's own variables tell who shares a host with whom only as far as
// that is all or not: ranks on several hosts would have to ask its PMIx server where the others are.
func OpenMPIStep(get Get) (s Step, found bool, err error) {
	space := get("PMIX_NAMESPACE")
	if get("OMPI_COMM_WORLD_SIZE") == "" || strings.HasPrefix(space, "slurm.pmix.") {
		return s, false, nil
	}
	// weft run sets Open MPI's variables too, for scripts; a rank's child that was told to run alone still has them.
	if get("WEFT_JOB") != "" && get("PMIX_RANK") == "" {
		return s, false, nil
	}
	s = Step{By: "Open MPI's mpirun", Name: "pmix." + space, Leader: "localhost"}
	local := 1
	err = errors.Join(number(get, "OMPI_COMM_WORLD_SIZE", &s.Size, 1), number(get, "OMPI_COMM_WORLD_RANK", &s.Rank, 0))
	if s.Size > 1 && err == nil {
		err = number(get, "OMPI_COMM_WORLD_LOCAL_SIZE", &local, 1)
	}
	switch {
	case err != nil:
	case s.Rank >= s.Size:
		err = fmt.Errorf("OMPI_COMM_WORLD_RANK=%d is not below OMPI_COMM_WORLD_SIZE=%d", s.Rank, s.Size)
	case s.Size > 1 && space == "" || len(space) > 64 || !hostLetters(strings.ReplaceAll(space, "@", "")):
		err = fmt.Errorf("PMIX_NAMESPACE=%.80q names no job", space)
	}
	if err != nil {
		return s, true, fmt.Errorf("mpirun's variables are damaged: %w", err)
	}
	s.OneHost, s.Leads = local == s.Size, s.Rank == 0
	s.Ports, err = ports("", s.Name)
	return s, true, err
}

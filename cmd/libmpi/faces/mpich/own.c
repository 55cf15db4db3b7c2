/* What MPICH's header makes programs look for besides the standard's functions. */
#include "../face.h"

#pragma GCC visibility push(default)

static int unweighted, weights_empty;
int *const MPI_UNWEIGHTED = &unweighted;
int *const MPI_WEIGHTS_EMPTY = &weights_empty;

static char all_handles;
MPI_T_pvar_handle const MPI_T_PVAR_ALL_HANDLES = (MPI_T_pvar_handle)&all_handles;

static MPI_Fint status_ignore[5], statuses_ignore[5];
MPI_Fint *MPI_F_STATUS_IGNORE = status_ignore, *MPI_F_STATUSES_IGNORE = statuses_ignore;

int MPIR_Dup_fn(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag);
int MPIR_Dup_fn(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag) {
  (void)comm, (void)keyval, (void)extra;
  *(void **)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}

#pragma GCC visibility pop

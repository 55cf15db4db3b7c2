/* How a face finds Weft's functions, and those of its own that need more than a translation. */
#define _GNU_SOURCE
#include "face.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

struct abi_functions abi;

/* Weft's library has the same names as this one, so it is opened for itself. */
__attribute__((constructor)) static void find_functions(void) {
  static const char *const names[] = {
#define NAME(f) "PMPI_" #f,
      FUNCTIONS(NAME)};
  void **to = (void **)&abi, *library = dlopen("$ORIGIN/../../libmpi_abi.so.1", RTLD_NOW | RTLD_LOCAL);
  _Static_assert(sizeof abi == sizeof names, "every function has a name");
  for (size_t i = 0; library && i < sizeof names / sizeof *names; i++) {
    if (!(to[i] = dlsym(library, names[i]))) library = 0;
  }
  if (!library) {
    fprintf(stderr, "weft: this library needs Weft's own beside it: %s\n", dlerror());
    _exit(127);
  }
}

int PMPI_Get_version(int *version, int *subversion) {
  if (version) *version = MPI_VERSION;
  if (subversion) *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}

int PMPI_Pcontrol(const int level, ...) { return out_error(abi.Pcontrol(level)); }
double PMPI_Wtime(void) { return abi.Wtime(); }
double PMPI_Wtick(void) { return abi.Wtick(); }
MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint disp) { return base + disp; }
MPI_Aint PMPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2) { return addr1 - addr2; }

/* Buffers are in the processor's memory. */
int MPIX_Query_cuda_support(void) { return 0; }
#ifdef WEFT_FACE_MPICH
int MPIX_Query_hip_support(void) { return 0; }
int MPIX_Query_ze_support(void) { return 0; }
int PMPIX_Query_cuda_support(void) __attribute__((alias("MPIX_Query_cuda_support")));
int PMPIX_Query_hip_support(void) __attribute__((alias("MPIX_Query_hip_support")));
int PMPIX_Query_ze_support(void) __attribute__((alias("MPIX_Query_ze_support")));
#endif

int peers(abi_handle comm) {
  int inter = 0, n = 0;
  if (abi.Comm_test_inter(comm, &inter) != 0) return 0;
  if (inter) abi.Comm_remote_size(comm, &n);
  else abi.Comm_size(comm, &n);
  return n;
}

int degree(abi_handle comm, int out) {
  int kind = ABI_UNDEFINED, n = 0, other, weighted, rank;
  if (abi.Topo_test(comm, &kind) != 0) return 0;
  switch (kind) {
  case ABI_CART:
    abi.Cartdim_get(comm, &n);
    return 2 * n;
  case ABI_GRAPH:
    abi.Comm_rank(comm, &rank);
    abi.Graph_neighbors_count(comm, rank, &n);
    return n;
  case ABI_DIST_GRAPH:
    if (out) abi.Dist_graph_neighbors_count(comm, &other, &n, &weighted);
    else abi.Dist_graph_neighbors_count(comm, &n, &other, &weighted);
  }
  return n;
}

/* Attributes that are numbers are known by their addresses, so those that differ have cells of their own. */
static void number(void *value, int key) {
  static int cells[8];
  int *p = *(int **)value, *cell;
  switch (key) {
  case ABI_HOST: cell = &cells[0], *cell = out_rank(*p); break;
  case ABI_IO: cell = &cells[1], *cell = out_rank(*p); break;
  case ABI_LASTUSEDCODE: cell = &cells[2], *cell = out_error(*p); break;
  case ABI_WIN_MODEL: cell = &cells[3], *cell = out_model(*p); break;
  case ABI_WIN_CREATE_FLAVOR: cell = &cells[4 + *p - ABI_WIN_FLAVOR_CREATE], *cell = out_flavor(*p); break;
  default: return;
  }
  *(int **)value = cell;
}

int PMPI_Comm_get_attr(MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag) {
  int key = in_keyval(comm_keyval), code = abi.Comm_get_attr(in_Comm(comm), key, attribute_val, flag);
  if (code == 0 && *flag) number(attribute_val, key);
  return out_error(code);
}
int PMPI_Attr_get(MPI_Comm comm, int keyval, void *attribute_val, int *flag) {
  return PMPI_Comm_get_attr(comm, keyval, attribute_val, flag);
}
int PMPI_Win_get_attr(MPI_Win win, int win_keyval, void *attribute_val, int *flag) {
  int key = in_keyval(win_keyval), code = abi.Win_get_attr(in_Win(win), key, attribute_val, flag);
  if (code == 0 && *flag) number(attribute_val, key);
  return out_error(code);
}

/* MPI_LB and MPI_UB, which the interface has no more, are where a structure begins and ends. */
int PMPI_Type_create_struct(int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[], const MPI_Datatype array_of_types[],
                            MPI_Datatype *newtype) {
  const MPI_Datatype *const from = array_of_types;
  HOLD(abi_handle, types, from, count)
  HOLD(int, lengths, array_of_blocklengths, count)
  HOLD(MPI_Aint, places, array_of_displacements, count)
  MPI_Aint lower = 0, upper = 0, lb, extent;
  int marks = 0, n = 0, code;
  abi_handle made = 0, resized = 0;
  for (int i = 0; i < n_types && n_lengths && n_places; i++) {
    if (from[i] == MPI_LB) lower = marks & 1 && lower < array_of_displacements[i] ? lower : array_of_displacements[i], marks |= 1;
    else if (from[i] == MPI_UB) upper = marks & 2 && upper > array_of_displacements[i] ? upper : array_of_displacements[i], marks |= 2;
    else c_types[n] = in_Datatype(from[i]), c_lengths[n] = array_of_blocklengths[i], c_places[n++] = array_of_displacements[i];
  }
  code = abi.Type_create_struct(count < 0 ? count : n, c_lengths, c_places, c_types, newtype ? &made : 0);
  if (code == 0 && marks) {
    abi.Type_get_extent(made, &lb, &extent);
    if (!(marks & 1)) lower = lb;
    if (!(marks & 2)) upper = lb + extent;
    code = abi.Type_create_resized(made, lower, upper - lower, &resized);
    abi.Type_free(&made);
    made = resized;
  }
  if (made) *newtype = out_Datatype(made);
  DROP(types)
  DROP(lengths)
  DROP(places)
  return out_error(code);
}

/* contents translates the integers that a type was made of, if some stand for constants. */
static void contents(int combiner, int *n, int max) {
  int dims;
  if (combiner == ABI_COMBINER_SUBARRAY && max > 0 && max > (dims = 3 * n[0] + 1)) n[dims] = out_order(n[dims]);
  if (combiner == ABI_COMBINER_DARRAY && max > 2 && max > 3 + 4 * (dims = n[2])) {
    for (int i = 0; i < dims; i++) {
      n[3 + dims + i] = out_distribution(n[3 + dims + i]);
      n[3 + 2 * dims + i] = out_distarg(n[3 + 2 * dims + i]);
    }
    n[3 + 4 * dims] = out_order(n[3 + 4 * dims]);
  }
}

int PMPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes, int array_of_integers[],
                           MPI_Aint array_of_addresses[], MPI_Datatype array_of_datatypes[]) {
  int integers, addresses, datatypes, combiner, code;
  HOLD(abi_handle, types, array_of_datatypes, max_datatypes)
  if (n_types) memset(c_types, 0, (size_t)n_types * sizeof *c_types);
  code = abi.Type_get_contents(in_Datatype(datatype), max_integers, max_addresses, max_datatypes, array_of_integers, array_of_addresses, c_types);
  for (int i = 0; i < n_types && c_types[i]; i++) array_of_datatypes[i] = out_Datatype(c_types[i]);
  DROP(types)
  if (code == 0 && abi.Type_get_envelope(in_Datatype(datatype), &integers, &addresses, &datatypes, &combiner) == 0) {
    contents(combiner, array_of_integers, max_integers);
  }
  return out_error(code);
}

int PMPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses, MPI_Count max_large_counts,
                             MPI_Count max_datatypes, int array_of_integers[], MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[],
                             MPI_Datatype array_of_datatypes[]) {
  int code;
  HOLD(abi_handle, types, array_of_datatypes, max_datatypes)
  if (n_types) memset(c_types, 0, (size_t)n_types * sizeof *c_types);
  code = abi.Type_get_contents_c(in_Datatype(datatype), max_integers, max_addresses, max_large_counts, max_datatypes, array_of_integers,
                                 array_of_addresses, array_of_large_counts, c_types);
  for (int i = 0; i < n_types && c_types[i]; i++) array_of_datatypes[i] = out_Datatype(c_types[i]);
  DROP(types)
  return out_error(code);
}

/* There are no events. */
int PMPI_T_event_get_info(int event_index, char *name, int *name_len, int *verbosity, MPI_Datatype array_of_datatypes[],
                          MPI_Aint array_of_displacements[], int *num_elements, MPI_T_enum *enumtype, MPI_Info *info, char *desc, int *desc_len, int *bind) {
  (void)array_of_datatypes, (void)info;
  return out_error(abi.T_event_get_info(event_index, name, name_len, verbosity, 0, array_of_displacements, num_elements, enumtype, 0, desc, desc_len, bind));
}

TWIN(Get_version)
TWIN(Pcontrol)
TWIN(Wtime)
TWIN(Wtick)
TWIN(Aint_add)
TWIN(Aint_diff)
TWIN(Comm_get_attr)
TWIN(Attr_get)
TWIN(Win_get_attr)
TWIN(Type_create_struct)
TWIN(Type_get_contents)
TWIN(Type_get_contents_c)
TWIN(T_event_get_info)

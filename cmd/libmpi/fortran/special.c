/* What Fortran has otherwise than C: constants by address, texts, attributes, callbacks. */
#include "fortran.h"

#include <string.h>

#if defined WEFT_FACE_MPICH
fint mpipriv1_[7], mpipriv2_[6], mpifcmb5_[1], mpifcmb9_[1];
char mpiprivc_[2];
#define BOTTOM (&mpipriv1_[0])
#define IN_PLACE (&mpipriv1_[1])
#define STATUS_IGNORE (&mpipriv1_[2])
#define STATUSES_IGNORE (&mpipriv2_[0])
#define UNWEIGHTED mpifcmb5_
#define WEIGHTS_EMPTY mpifcmb9_
#elif defined WEFT_FACE_OPENMPI
fint mpi_fortran_bottom_[1], mpi_fortran_in_place_[1], mpi_fortran_status_ignore_[6], mpi_fortran_statuses_ignore_[6],
    mpi_fortran_errcodes_ignore_[1], mpi_fortran_unweighted_[1], mpi_fortran_weights_empty_[1];
char mpi_fortran_argv_null_[1], mpi_fortran_argvs_null_[1];
#define BOTTOM mpi_fortran_bottom_
#define IN_PLACE mpi_fortran_in_place_
#define STATUS_IGNORE mpi_fortran_status_ignore_
#define STATUSES_IGNORE mpi_fortran_statuses_ignore_
#define UNWEIGHTED mpi_fortran_unweighted_
#define WEIGHTS_EMPTY mpi_fortran_weights_empty_
#else
fint weft_mpi_bottom_[1], weft_mpi_in_place_[1], weft_mpi_buffer_automatic_[1], weft_mpi_status_ignore_[8], weft_mpi_statuses_ignore_[8],
    weft_mpi_errcodes_ignore_[1], weft_mpi_unweighted_[1], weft_mpi_weights_empty_[1];
char weft_mpi_argv_null_[1], weft_mpi_argvs_null_[1];
#define BOTTOM weft_mpi_bottom_
#define IN_PLACE weft_mpi_in_place_
#define AUTOMATIC weft_mpi_buffer_automatic_
#define STATUS_IGNORE weft_mpi_status_ignore_
#define STATUSES_IGNORE weft_mpi_statuses_ignore_
#define UNWEIGHTED weft_mpi_unweighted_
#define WEIGHTS_EMPTY weft_mpi_weights_empty_
#endif

void *weft_buffer(void *p) {
  if (p == BOTTOM) return MPI_BOTTOM;
  if (p == IN_PLACE) return MPI_IN_PLACE;
#ifdef AUTOMATIC
  if (p == AUTOMATIC) return MPI_BUFFER_AUTOMATIC;
#endif
  return p;
}

int *weft_weights(fint *p) {
  if (p == UNWEIGHTED) return MPI_UNWEIGHTED;
  if (p == WEIGHTS_EMPTY) return MPI_WEIGHTS_EMPTY;
  return p;
}

MPI_Status *weft_status(fint *p) {
  return p == STATUS_IGNORE || p == STATUSES_IGNORE ? MPI_STATUS_IGNORE : (MPI_Status *)p;
}

char *weft_text(const char *s, size_t n) {
  char *c;
  while (n > 0 && s[n - 1] == ' ') n--;
  while (n > 0 && *s == ' ') s++, n--;
  c = malloc(n + 1);
  if (!c) abort();
  memcpy(c, s, n);
  c[n] = 0;
  return c;
}

void weft_blanks(char *to, size_t n, const char *from) {
  size_t length = strlen(from);
  if (length > n) length = n;
  memcpy(to, from, length);
  memset(to + length, ' ', n - length);
}

void *weft_array(int n, size_t size) {
  void *p = malloc((n > 0 ? (size_t)n : 1) * size);
  if (!p) abort();
  return p;
}

int weft_peers(fint comm) {
  MPI_Comm c = MPI_Comm_fromint(comm);
  int inter = 0, n = 0;
  if (MPI_Comm_test_inter(c, &inter) != MPI_SUCCESS) return 0;
  if (inter) MPI_Comm_remote_size(c, &n);
  else MPI_Comm_size(c, &n);
  return n;
}

int weft_degree(fint comm, int out) {
  MPI_Comm c = MPI_Comm_fromint(comm);
  int kind = MPI_UNDEFINED, n = 0, other, weighted, rank;
  if (MPI_Topo_test(c, &kind) != MPI_SUCCESS) return 0;
  switch (kind) {
  case MPI_CART:
    MPI_Cartdim_get(c, &n);
    return 2 * n;
  case MPI_GRAPH:
    MPI_Comm_rank(c, &rank);
    MPI_Graph_neighbors_count(c, rank, &n);
    return n;
  case MPI_DIST_GRAPH:
    if (out) MPI_Dist_graph_neighbors_count(c, &other, &n, &weighted);
    else MPI_Dist_graph_neighbors_count(c, &n, &other, &weighted);
  }
  return n;
}

void pmpi_init_(fint *ierror) { *ierror = MPI_Init(NULL, NULL); }
void pmpi_init_thread_(fint *required, fint *provided, fint *ierror) { *ierror = MPI_Init_thread(NULL, NULL, *required, provided); }
NAMED(init)
NAMED(init_thread)

double pmpi_wtime_(void) { return MPI_Wtime(); }
double pmpi_wtick_(void) { return MPI_Wtick(); }
NAMED(wtime)
NAMED(wtick)
MPI_Aint pmpi_aint_add_(MPI_Aint *a, MPI_Aint *b) { return MPI_Aint_add(*a, *b); }
MPI_Aint pmpi_aint_diff_(MPI_Aint *a, MPI_Aint *b) { return MPI_Aint_diff(*a, *b); }
NAMED(aint_add)
NAMED(aint_diff)

/* Fortran gets no address of a buffer back: the standard. */
void pmpi_buffer_detach_(void *at, fint *size, fint *ierror) {
  void *p;
  (void)at;
  *ierror = MPI_Buffer_detach(&p, size);
}
void pmpi_comm_detach_buffer_(fint *comm, void *at, fint *size, fint *ierror) {
  void *p;
  (void)at;
  *ierror = MPI_Comm_detach_buffer(MPI_Comm_fromint(*comm), &p, size);
}
NAMED(buffer_detach)
NAMED(comm_detach_buffer)

void pmpi_pcontrol_(fint *level) { MPI_Pcontrol(*level); }
NAMED(pcontrol)

/* Attributes. A key remembers the program's functions, which take all by address; extra and values are integers. Those of
   keys of MPI 1 have 32 bits. */
typedef void copy_function(fint *, fint *, MPI_Aint *, MPI_Aint *, MPI_Aint *, fint *, fint *);
typedef void delete_function(fint *, fint *, MPI_Aint *, MPI_Aint *, fint *);
typedef void old_copy_function(fint *, fint *, fint *, fint *, fint *, fint *, fint *);
typedef void old_delete_function(fint *, fint *, fint *, fint *, fint *);

struct key {
  void *copy, *delete;
  MPI_Aint extra;
  int old;
};

static int copies(MPI_Comm c, int number, void *extra, void *in, void *out, int *flag) {
  struct key *k = extra;
  fint object = MPI_Comm_toint(c), key = number, error = MPI_SUCCESS;
  MPI_Aint value = (MPI_Aint)in, copied = 0;
  if (k->old) {
    fint x = (fint)k->extra, v = (fint)value, w = 0;
    ((old_copy_function *)k->copy)(&object, &key, &x, &v, &w, flag, &error);
    copied = w;
  } else {
    ((copy_function *)k->copy)(&object, &key, &k->extra, &value, &copied, flag, &error);
  }
  *(void **)out = (void *)copied;
  return error;
}

static int deletes(MPI_Comm c, int number, void *value, void *extra) {
  struct key *k = extra;
  fint object = MPI_Comm_toint(c), key = number, error = MPI_SUCCESS;
  MPI_Aint v = (MPI_Aint)value;
  if (k->old) {
    fint x = (fint)k->extra, w = (fint)v;
    ((old_delete_function *)k->delete)(&object, &key, &w, &x, &error);
  } else {
    ((delete_function *)k->delete)(&object, &key, &v, &k->extra, &error);
  }
  return error;
}

static int c_type_copies(MPI_Datatype t, int n, void *x, void *in, void *out, int *f) { return copies((MPI_Comm)t, n, x, in, out, f); }
static int c_type_deletes(MPI_Datatype t, int n, void *v, void *x) { return deletes((MPI_Comm)t, n, v, x); }
static int c_win_copies(MPI_Win w, int n, void *x, void *in, void *out, int *f) { return copies((MPI_Comm)w, n, x, in, out, f); }
static int c_win_deletes(MPI_Win w, int n, void *v, void *x) { return deletes((MPI_Comm)w, n, v, x); }

/* The functions of the standard that programs pass, and may call. */
#define FUNCTIONS(object)                                                                                                     \
  void mpi_##object##null_copy_fn_(fint *c, fint *k, MPI_Aint *x, MPI_Aint *in, MPI_Aint *out, fint *flag, fint *ierror) {     \
    (void)c, (void)k, (void)x, (void)in, (void)out;                                                                           \
    *flag = 0;                                                                                                                \
    *ierror = MPI_SUCCESS;                                                                                                    \
  }                                                                                                                           \
  void mpi_##object##dup_fn_(fint *c, fint *k, MPI_Aint *x, MPI_Aint *in, MPI_Aint *out, fint *flag, fint *ierror) {           \
    (void)c, (void)k, (void)x;                                                                                                \
    *out = *in;                                                                                                               \
    *flag = 1;                                                                                                                \
    *ierror = MPI_SUCCESS;                                                                                                    \
  }                                                                                                                           \
  void mpi_##object##null_delete_fn_(fint *c, fint *k, MPI_Aint *v, MPI_Aint *x, fint *ierror) {                               \
    (void)c, (void)k, (void)v, (void)x;                                                                                       \
    *ierror = MPI_SUCCESS;                                                                                                    \
  }
FUNCTIONS(comm_)
FUNCTIONS(type_)
FUNCTIONS(win_)

/* Those of MPI 1: integers have 32 bits. */
void mpi_null_copy_fn_(fint *c, fint *k, fint *x, fint *in, fint *out, fint *flag, fint *ierror) {
  (void)c, (void)k, (void)x, (void)in, (void)out;
  *flag = 0;
  *ierror = MPI_SUCCESS;
}
void mpi_dup_fn_(fint *c, fint *k, fint *x, fint *in, fint *out, fint *flag, fint *ierror) {
  (void)c, (void)k, (void)x;
  *out = *in;
  *flag = 1;
  *ierror = MPI_SUCCESS;
}
void mpi_null_delete_fn_(fint *c, fint *k, fint *v, fint *x, fint *ierror) {
  (void)c, (void)k, (void)v, (void)x;
  *ierror = MPI_SUCCESS;
}

/* A key lives as long as the process: objects may have it after it has been freed. */
static struct key *new_key(void *copy, void *delete, MPI_Aint extra, int old) {
  struct key *k = malloc(sizeof *k);
  if (!k) abort();
  k->copy = copy;
  k->delete = delete;
  k->extra = extra;
  k->old = old;
  return k;
}

void pmpi_comm_create_keyval_(void *copy, void *delete, fint *key, MPI_Aint *extra, fint *ierror) {
  *ierror = MPI_Comm_create_keyval(copies, deletes, key, new_key(copy, delete, *extra, 0));
}
void pmpi_type_create_keyval_(void *copy, void *delete, fint *key, MPI_Aint *extra, fint *ierror) {
  *ierror = MPI_Type_create_keyval(c_type_copies, c_type_deletes, key, new_key(copy, delete, *extra, 0));
}
void pmpi_win_create_keyval_(void *copy, void *delete, fint *key, MPI_Aint *extra, fint *ierror) {
  *ierror = MPI_Win_create_keyval(c_win_copies, c_win_deletes, key, new_key(copy, delete, *extra, 0));
}
void pmpi_keyval_create_(void *copy, void *delete, fint *key, fint *extra, fint *ierror) {
  *ierror = MPI_Comm_create_keyval(copies, deletes, key, new_key(copy, delete, *extra, 1));
}
NAMED(comm_create_keyval)
NAMED(type_create_keyval)
NAMED(win_create_keyval)
NAMED(keyval_create)

/* key_of is a key as C knows it: MPICH's Fortran has other numbers for the standard's own ones: one more. */
static int key_of(int key) {
#ifdef WEFT_FACE_MPICH
  switch (key - 1) {
  case MPI_TAG_UB: case MPI_IO: case MPI_HOST: case MPI_WTIME_IS_GLOBAL: case MPI_APPNUM: case MPI_LASTUSEDCODE: case MPI_UNIVERSE_SIZE:
  case MPI_WIN_BASE: case MPI_WIN_SIZE: case MPI_WIN_DISP_UNIT: case MPI_WIN_CREATE_FLAVOR: case MPI_WIN_MODEL: return key - 1;
  }
#endif
  return key;
}

/* value_of is an attribute as an integer: C has addresses of the standard's own ones. */
static MPI_Aint value_of(int key, void *p) {
  switch (key) {
  case MPI_WIN_SIZE: return *(MPI_Aint *)p;
  case MPI_WIN_BASE: return (MPI_Aint)p;
  case MPI_TAG_UB: case MPI_IO: case MPI_HOST: case MPI_WTIME_IS_GLOBAL: case MPI_APPNUM: case MPI_LASTUSEDCODE: case MPI_UNIVERSE_SIZE:
  case MPI_WIN_DISP_UNIT: case MPI_WIN_CREATE_FLAVOR: case MPI_WIN_MODEL: return *(int *)p;
  }
  return (MPI_Aint)p;
}

#define ATTRIBUTES(low, Object, kind)                                                                        \
  void pmpi_##low##_set_attr_(fint *object, fint *key, MPI_Aint *value, fint *ierror) {                      \
    *ierror = MPI_##Object##_set_attr(kind(*object), *key, (void *)*value);                                  \
  }                                                                                                          \
  void pmpi_##low##_get_attr_(fint *object, fint *key, MPI_Aint *value, fint *flag, fint *ierror) {          \
    void *p;                                                                                                 \
    *flag = 0;                                                                                               \
    *ierror = MPI_##Object##_get_attr(kind(*object), key_of(*key), &p, flag);                                        \
    if (*ierror == MPI_SUCCESS && *flag) *value = value_of(key_of(*key), p);                                 \
  }                                                                                                          \
  NAMED(low##_set_attr)                                                                                      \
  NAMED(low##_get_attr)
ATTRIBUTES(comm, Comm, MPI_Comm_fromint)
ATTRIBUTES(type, Type, MPI_Type_fromint)
ATTRIBUTES(win, Win, MPI_Win_fromint)

void pmpi_attr_put_(fint *comm, fint *key, fint *value, fint *ierror) {
  *ierror = MPI_Comm_set_attr(MPI_Comm_fromint(*comm), *key, (void *)(MPI_Aint)*value);
}
void pmpi_attr_get_(fint *comm, fint *key, fint *value, fint *flag, fint *ierror) {
  void *p;
  *flag = 0;
  *ierror = MPI_Comm_get_attr(MPI_Comm_fromint(*comm), key_of(*key), &p, flag);
  if (*ierror == MPI_SUCCESS && *flag) *value = (fint)value_of(key_of(*key), p);
}
NAMED(attr_put)
NAMED(attr_get)

/* Generalized requests: the program's functions take all by address. */
struct general {
  void (*query)(MPI_Aint *, fint *, fint *);
  void (*free)(MPI_Aint *, fint *);
  void (*cancel)(MPI_Aint *, fint *, fint *);
  MPI_Aint extra;
};

static int asks(void *extra, MPI_Status *status) {
  struct general *g = extra;
  fint error = MPI_SUCCESS;
  g->query(&g->extra, (fint *)status, &error);
  return error;
}

static int frees(void *extra) {
  struct general *g = extra;
  fint error = MPI_SUCCESS;
  g->free(&g->extra, &error);
  free(g);
  return error;
}

static int cancels(void *extra, int complete) {
  struct general *g = extra;
  fint error = MPI_SUCCESS, flag = complete;
  g->cancel(&g->extra, &flag, &error);
  return error;
}

void pmpi_grequest_start_(void (*query)(MPI_Aint *, fint *, fint *), void (*end)(MPI_Aint *, fint *), void (*cancel)(MPI_Aint *, fint *, fint *),
                          MPI_Aint *extra, fint *request, fint *ierror) {
  struct general *g = malloc(sizeof *g);
  MPI_Request r = MPI_REQUEST_NULL;
  if (!g) abort();
  g->query = query;
  g->free = end;
  g->cancel = cancel;
  g->extra = *extra;
  *ierror = MPI_Grequest_start(asks, frees, cancels, g, &r);
  if (*ierror != MPI_SUCCESS) free(g);
  *request = MPI_Request_toint(r);
}
NAMED(grequest_start)

#ifdef WEFT_FACE
/* Functions of the program that a face calls with integers. */
void pmpi_op_create_(void *fn, fint *commute, fint *op, fint *ierror) {
  MPI_Op c_op = MPI_OP_NULL;
  *ierror = weft_op_create_fortran(fn, *commute, &c_op);
  *op = MPI_Op_toint(c_op);
}
NAMED(op_create)

#define ERRHANDLER(low, kind)                                            \
  void pmpi_##low##_create_errhandler_(void *fn, fint *h, fint *ierror) { \
    MPI_Errhandler c_h = MPI_ERRHANDLER_NULL;                            \
    *ierror = weft_errhandler_create_fortran(kind, fn, &c_h);            \
    *h = MPI_Errhandler_toint(c_h);                                      \
  }                                                                      \
  NAMED(low##_create_errhandler)
ERRHANDLER(comm, WEFT_OF_COMM)
ERRHANDLER(file, WEFT_OF_FILE)
ERRHANDLER(win, WEFT_OF_WIN)
ERRHANDLER(session, WEFT_OF_SESSION)
#else
void pmpi_comm_create_errhandler_(void *fn, fint *h, fint *ierror);
#endif

/* MPI 1: displacements are integers of 32 bits. */
void pmpi_address_(void *p, fint *at, fint *ierror) {
  MPI_Aint a = 0;
  *ierror = MPI_Get_address(weft_buffer(p), &a);
  *at = (fint)a;
}
void pmpi_type_hvector_(fint *n, fint *length, fint *stride, fint *old, fint *made, fint *ierror) {
  MPI_Datatype c_made = MPI_DATATYPE_NULL;
  *ierror = MPI_Type_create_hvector(*n, *length, *stride, MPI_Type_fromint(*old), &c_made);
  *made = MPI_Type_toint(c_made);
}
static MPI_Aint *places_of(const fint *f, int n) {
  MPI_Aint *c = weft_array(n, sizeof *c);
  for (int i = 0; i < n; i++) c[i] = f[i];
  return c;
}
void pmpi_type_hindexed_(fint *n, fint *lengths, fint *places, fint *old, fint *made, fint *ierror) {
  MPI_Datatype c_made = MPI_DATATYPE_NULL;
  MPI_Aint *c_places = places_of(places, *n);
  *ierror = MPI_Type_create_hindexed(*n, lengths, c_places, MPI_Type_fromint(*old), &c_made);
  *made = MPI_Type_toint(c_made);
  free(c_places);
}
void pmpi_type_struct_(fint *n, fint *lengths, fint *places, fint *types, fint *made, fint *ierror) {
  MPI_Datatype c_made = MPI_DATATYPE_NULL;
  MPI_Aint *c_places = places_of(places, *n);
  HANDLES(Type, MPI_Datatype, types, *n)
  *ierror = MPI_Type_create_struct(*n, lengths, c_places, c_types, &c_made);
  *made = MPI_Type_toint(c_made);
  free(c_places);
  free(c_types);
}
/* bounds are where a type begins, and how far on the next one does. */
static void bounds(fint type, fint *lb, fint *extent, fint *ierror) {
  MPI_Aint l = 0, e = 0;
  *ierror = MPI_Type_get_extent(MPI_Type_fromint(type), &l, &e);
  *lb = (fint)l;
  *extent = (fint)e;
}
void pmpi_type_extent_(fint *type, fint *extent, fint *ierror) {
  fint lb;
  bounds(*type, &lb, extent, ierror);
}
void pmpi_type_lb_(fint *type, fint *lb, fint *ierror) {
  fint extent;
  bounds(*type, lb, &extent, ierror);
}
void pmpi_type_ub_(fint *type, fint *ub, fint *ierror) {
  fint lb, extent;
  bounds(*type, &lb, &extent, ierror);
  *ub = lb + extent;
}
void pmpi_errhandler_create_(void *fn, fint *h, fint *ierror) { pmpi_comm_create_errhandler_(fn, h, ierror); }
void pmpi_errhandler_set_(fint *comm, fint *h, fint *ierror) {
  *ierror = MPI_Comm_set_errhandler(MPI_Comm_fromint(*comm), MPI_Errhandler_fromint(*h));
}
void pmpi_errhandler_get_(fint *comm, fint *h, fint *ierror) {
  MPI_Errhandler c_h = MPI_ERRHANDLER_NULL;
  *ierror = MPI_Comm_get_errhandler(MPI_Comm_fromint(*comm), &c_h);
  *h = MPI_Errhandler_toint(c_h);
}
NAMED(address)
NAMED(type_hvector)
NAMED(type_hindexed)
NAMED(type_struct)
NAMED(type_extent)
NAMED(type_lb)
NAMED(type_ub)
NAMED(errhandler_create)
NAMED(errhandler_set)
NAMED(errhandler_get)

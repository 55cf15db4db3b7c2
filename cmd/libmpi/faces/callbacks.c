/* Functions of the program that Weft calls: they get the face's handles. */
#include "face.h"

#include <pthread.h>
#include <stdio.h>

/* Attributes and generalized requests bring a pointer of their own, in which the program's functions are kept. A key lives as long as
   the process: objects may have it after it has been freed. */
struct key {
  void *copy, *delete, *extra;
};

#define KEYS(kind, Object, object, handle)                                                                                        \
  static int copy_##kind(abi_handle h, int key, void *extra, void *in, void *out, int *flag) {                                    \
    struct key *k = extra;                                                                                                        \
    return in_error(((MPI_##Object##_copy_attr_function *)k->copy)(out_##handle(h), key, k->extra, in, out, flag));               \
  }                                                                                                                               \
  static int delete_##kind(abi_handle h, int key, void *value, void *extra) {                                                     \
    struct key *k = extra;                                                                                                        \
    return in_error(((MPI_##Object##_delete_attr_function *)k->delete)(out_##handle(h), key, value, k->extra));                   \
  }                                                                                                                               \
  int PMPI_##Object##_create_keyval(MPI_##Object##_copy_attr_function *copy, MPI_##Object##_delete_attr_function *delete, int *number, void *extra) { \
    struct key *k = malloc(sizeof *k);                                                                                            \
    if (!k) abort();                                                                                                              \
    *k = (struct key){copy, delete, extra};                                                                                       \
    return out_error(abi.Object##_create_keyval(copy ? (void *)copy_##kind : 0, delete ? (void *)delete_##kind : 0, number, k));  \
  }
KEYS(comm, Comm, comm, Comm)
KEYS(type, Type, datatype, Datatype)
KEYS(win, Win, win, Win)

int PMPI_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *delete, int *keyval, void *extra_state) {
  return PMPI_Comm_create_keyval(copy, delete, keyval, extra_state);
}

struct general {
  MPI_Grequest_query_function *query;
  MPI_Grequest_free_function *free;
  MPI_Grequest_cancel_function *cancel;
  void *extra;
};

static int query(void *extra, abi_status *status) {
  struct general *g = extra;
  MPI_Status s;
  int code;
  memset(&s, 0, sizeof s);
  store_status(&s, status);
  code = g->query(g->extra, &s);
  load_status(status, &s);
  return in_error(code);
}

static int end(void *extra) {
  struct general *g = extra;
  int code = g->free(g->extra);
  free(g);
  return in_error(code);
}

static int cancel(void *extra, int complete) {
  struct general *g = extra;
  return in_error(g->cancel(g->extra, complete));
}

int PMPI_Grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn, MPI_Grequest_cancel_function *cancel_fn,
                        void *extra_state, MPI_Request *request) {
  struct general *g = malloc(sizeof *g);
  abi_handle r = 0;
  int code;
  if (!g) abort();
  *g = (struct general){query_fn, free_fn, cancel_fn, extra_state};
  code = abi.Grequest_start((void *)query, (void *)end, (void *)cancel, g, request ? &r : 0);
  if (r) *request = out_Request(r);
  else free(g);
  return out_error(code);
}

/* Reductions and error handlers bring nothing that would tell which one is called. So there are as many functions as programs may
   have, each of which knows its place. A place is kept: the same function gets it again, and operations may be under way when
   a handle is freed. */
enum { PLACES = 256 };
enum { IS_FORTRAN = 16 };

struct place {
  void *function;
  int kind;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* find returns the place of a function; -1 if all are taken. */
static int find(struct place *all, void *function, int kind) {
  int i = 0;
  pthread_mutex_lock(&lock);
  while (i < PLACES && all[i].function && (all[i].function != function || all[i].kind != kind)) i++;
  if (i < PLACES) all[i] = (struct place){function, kind};
  pthread_mutex_unlock(&lock);
  if (i < PLACES) return i;
  fprintf(stderr, "weft: a program that was compiled for another library can have %d functions of this kind\n", PLACES);
  return -1;
}

#define EACH(X)                                                                                                       \
  SIXTEEN(X, 0x0) SIXTEEN(X, 0x1) SIXTEEN(X, 0x2) SIXTEEN(X, 0x3) SIXTEEN(X, 0x4) SIXTEEN(X, 0x5) SIXTEEN(X, 0x6)     \
  SIXTEEN(X, 0x7) SIXTEEN(X, 0x8) SIXTEEN(X, 0x9) SIXTEEN(X, 0xa) SIXTEEN(X, 0xb) SIXTEEN(X, 0xc) SIXTEEN(X, 0xd)     \
  SIXTEEN(X, 0xe) SIXTEEN(X, 0xf)
#define SIXTEEN(X, h)                                                                                                 \
  X(h##0) X(h##1) X(h##2) X(h##3) X(h##4) X(h##5) X(h##6) X(h##7) X(h##8) X(h##9) X(h##a) X(h##b) X(h##c) X(h##d) X(h##e) X(h##f)

static struct place reductions[PLACES], large_reductions[PLACES], handlers[PLACES];

static NOINLINE void reduce(int i, void *in, void *inout, int *n, abi_handle *type) {
  MPI_Datatype t = out_Datatype(*type);
  MPI_Fint number;
  if (reductions[i].kind != IS_FORTRAN) {
    ((MPI_User_function *)reductions[i].function)(in, inout, n, &t);
    return;
  }
  number = MPI_Type_c2f(t);
  ((void (*)(void *, void *, int *, MPI_Fint *))reductions[i].function)(in, inout, n, &number);
}

static NOINLINE void reduce_large(int i, void *in, void *inout, MPI_Count *n, abi_handle *type) {
  MPI_Datatype t = out_Datatype(*type);
  ((MPI_User_function_c *)large_reductions[i].function)(in, inout, n, &t);
}

#define HANDLE(type, handle, name)                                                        \
  {                                                                                       \
    type h = out_##handle(*object);                                                       \
    MPI_Fint number;                                                                      \
    if (!(handlers[i].kind & IS_FORTRAN)) {                                               \
      ((MPI_##name##_errhandler_function *)handlers[i].function)(&h, &e);                 \
      return;                                                                             \
    }                                                                                     \
    number = MPI_##name##_c2f(h);                                                         \
    ((void (*)(MPI_Fint *, int *))handlers[i].function)(&number, &e);                     \
    return;                                                                               \
  }

static NOINLINE void handle(int i, abi_handle *object, int *code) {
  int e = out_error(*code);
  switch (handlers[i].kind & ~IS_FORTRAN) {
  case WEFT_OF_COMM: HANDLE(MPI_Comm, Comm, Comm)
  case WEFT_OF_FILE: HANDLE(MPI_File, File, File)
  case WEFT_OF_WIN: HANDLE(MPI_Win, Win, Win)
  default: HANDLE(MPI_Session, Session, Session)
  }
}

#define REDUCTION(i)                                                                                                              \
  static void reduce_##i(void *in, void *inout, int *n, abi_handle *type) { reduce(i, in, inout, n, type); }                      \
  static void reduce_large_##i(void *in, void *inout, MPI_Count *n, abi_handle *type) { reduce_large(i, in, inout, n, type); }    \
  static void handle_##i(abi_handle *object, int *code, ...) { handle(i, object, code); }
EACH(REDUCTION)

#define NAME_REDUCE(i) (void *)reduce_##i,
#define NAME_LARGE(i) (void *)reduce_large_##i,
#define NAME_HANDLE(i) (void *)handle_##i,
static void *const reduce_at[] = {EACH(NAME_REDUCE)};
static void *const reduce_large_at[] = {EACH(NAME_LARGE)};
static void *const handle_at[] = {EACH(NAME_HANDLE)};

static int create_op(void *function, int kind, int commute, MPI_Op *op) {
  int i = find(reductions, function, kind), code;
  abi_handle made = 0;
  if (i < 0) return out_error(ABI_ERR_NO_MEM);
  code = abi.Op_create(reduce_at[i], commute, op ? &made : 0);
  if (made) *op = out_Op(made);
  return out_error(code);
}

int PMPI_Op_create(MPI_User_function *user_fn, int commute, MPI_Op *op) { return create_op((void *)user_fn, 0, commute, op); }
int weft_op_create_fortran(void *fn, int commute, MPI_Op *op) { return create_op(fn, IS_FORTRAN, commute, op); }

int PMPI_Op_create_c(MPI_User_function_c *user_fn, int commute, MPI_Op *op) {
  int i = find(large_reductions, (void *)user_fn, 0), code;
  abi_handle made = 0;
  if (i < 0) return out_error(ABI_ERR_NO_MEM);
  code = abi.Op_create_c(reduce_large_at[i], commute, op ? &made : 0);
  if (made) *op = out_Op(made);
  return out_error(code);
}

static int create_handler(int kind, void *function, MPI_Errhandler *errhandler) {
  int i = find(handlers, function, kind), code;
  abi_handle made = 0, *to = errhandler ? &made : 0;
  if (i < 0) return out_error(ABI_ERR_NO_MEM);
  switch (kind & ~IS_FORTRAN) {
  case WEFT_OF_COMM: code = abi.Comm_create_errhandler(handle_at[i], to); break;
  case WEFT_OF_FILE: code = abi.File_create_errhandler(handle_at[i], to); break;
  case WEFT_OF_WIN: code = abi.Win_create_errhandler(handle_at[i], to); break;
  default: code = abi.Session_create_errhandler(handle_at[i], to);
  }
  if (made) *errhandler = out_Errhandler(made);
  return out_error(code);
}

int weft_errhandler_create_fortran(int kind, void *fn, MPI_Errhandler *errhandler) { return create_handler(kind | IS_FORTRAN, fn, errhandler); }
int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function *fn, MPI_Errhandler *errhandler) { return create_handler(WEFT_OF_COMM, (void *)fn, errhandler); }
int PMPI_File_create_errhandler(MPI_File_errhandler_function *fn, MPI_Errhandler *errhandler) { return create_handler(WEFT_OF_FILE, (void *)fn, errhandler); }
int PMPI_Win_create_errhandler(MPI_Win_errhandler_function *fn, MPI_Errhandler *errhandler) { return create_handler(WEFT_OF_WIN, (void *)fn, errhandler); }
int PMPI_Session_create_errhandler(MPI_Session_errhandler_function *fn, MPI_Errhandler *errhandler) {
  return create_handler(WEFT_OF_SESSION, (void *)fn, errhandler);
}

TWIN(Comm_create_keyval)
TWIN(Type_create_keyval)
TWIN(Win_create_keyval)
TWIN(Keyval_create)
TWIN(Grequest_start)
TWIN(Op_create)
TWIN(Op_create_c)
TWIN(Comm_create_errhandler)
TWIN(File_create_errhandler)
TWIN(Win_create_errhandler)
TWIN(Session_create_errhandler)

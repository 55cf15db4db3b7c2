/* What the functions of a face have in common: translations between the program's library and the interface. in_ is on the way into
   Weft, out_ on the way back to the program; abi are Weft's functions. */
#ifndef WEFT_FACE_H
#define WEFT_FACE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mpi.h" /* the face's */

typedef struct abi_object *abi_handle;
typedef struct abi_status {
  int source, tag, error, cancelled;
  int64_t bytes, elements;
} abi_status;

#include "functions.h"

#define ABI_IN_PLACE ((void *)1)
#define ABI_UNWEIGHTED ((int *)10)
#define ABI_WEIGHTS_EMPTY ((int *)11)
#define ABI_PVAR_ALL_HANDLES ((MPI_T_pvar_handle)1)

extern struct abi_functions abi;

/* Inlined hundreds of times, translations would take long to compile. */
#define NOINLINE __attribute__((noinline, unused))

#include "handles.h" /* the face's: how handles that programs make are translated, and its tables */

static inline void *in_buffer(const void *p) { return p == MPI_IN_PLACE ? ABI_IN_PLACE : (void *)p; }

static inline int *in_weights(const int *p) {
  return p == MPI_UNWEIGHTED ? ABI_UNWEIGHTED : p == MPI_WEIGHTS_EMPTY ? ABI_WEIGHTS_EMPTY : (int *)p;
}

static inline MPI_T_pvar_handle in_pvar(MPI_T_pvar_handle h) { return h == MPI_T_PVAR_ALL_HANDLES ? ABI_PVAR_ALL_HANDLES : h; }

/* Statuses: what the program has is loaded first, since a call may leave parts of it as they are. */
static NOINLINE void load_status(abi_status *to, const MPI_Status *from) {
  to->source = in_rank(from->MPI_SOURCE);
  to->tag = in_tag(from->MPI_TAG);
  to->error = in_error(from->MPI_ERROR);
  load_length(to, from);
  to->elements = 0;
}

static NOINLINE void store_status(MPI_Status *to, const abi_status *from) {
  to->MPI_SOURCE = out_rank(from->source);
  to->MPI_TAG = out_tag(from->tag);
  if (from->error != in_error(to->MPI_ERROR)) to->MPI_ERROR = out_error(from->error);
  store_length(to, from);
}

static inline int ignored(const MPI_Status *s) { return !s || s == MPI_STATUS_IGNORE || s == MPI_STATUSES_IGNORE; }

static inline abi_status *in_status(const MPI_Status *from, abi_status *to) {
  if (ignored(from)) return 0;
  load_status(to, from);
  return to;
}

static inline void out_status(MPI_Status *to, const abi_status *from) {
  if (from) store_status(to, from);
}

/* out_text gives a text to a program whose library has shorter ones. */
static NOINLINE void out_text(char *to, size_t limit, const char *from, int *length) {
  size_t n = strlen(from);
  if (!to) return;
  if (n >= limit) n = limit - 1;
  memcpy(to, from, n);
  to[n] = 0;
  if (length) *length = (int)n;
}

/* Arrays are translated into another one, on the stack if they are short. */
enum { ROOM = 32 };

static inline void *room(void *own, int n, size_t size) {
  void *p = own;
  if (n > ROOM && !(p = malloc((size_t)n * size))) abort();
  return p;
}

#define HOLD(type, x, there, n)                               \
  const int n_##x = (there) && (n) > 0 ? (int)(n) : 0;        \
  type r_##x[ROOM], *c_##x = (there) ? room(r_##x, n_##x, sizeof(type)) : 0;
#define TAKE(kind, x, n)        \
  HOLD(abi_handle, x, x, n)     \
  for (int i = 0; i < n_##x; i++) c_##x[i] = in_##kind(x[i]);
#define GIVE(kind, x) \
  for (int i = 0; i < n_##x; i++) x[i] = out_##kind(c_##x[i]);
#define TAKE_INTS(word, x, n) \
  HOLD(int, x, x, n)          \
  for (int i = 0; i < n_##x; i++) c_##x[i] = in_##word(x[i]);
#define TAKE_STATUSES(x, n)          \
  HOLD(abi_status, x, !ignored(x), n) \
  for (int i = 0; i < n_##x; i++) load_status(&c_##x[i], &x[i]);
#define GIVE_STATUSES(x) \
  for (int i = 0; i < n_##x; i++) store_status(&x[i], &c_##x[i]);
#define DROP(x) \
  if (n_##x > ROOM) free(c_##x);

/* TWIN gives a function that is written by hand its other name. */
#define TWIN(name) _Pragma(PRAGMA(weak MPI_##name = PMPI_##name))
#define PRAGMA(x) #x

/* peers is how many ranks a collective exchanges blocks with, degree how many neighbours it sends to or receives from. */
int peers(abi_handle comm);
int degree(abi_handle comm, int out);

#endif

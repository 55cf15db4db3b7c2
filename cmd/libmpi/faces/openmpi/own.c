/* What Open MPI's header makes programs look for besides the standard's functions: the objects whose addresses are handles, with as
   many bytes as programs copy, and the functions of attributes. */
#include "../face.h"

#pragma GCC visibility push(default)

#define OBJECT(name, size, handle, fortran)                                                             \
  _Static_assert(size >= sizeof(struct weft_object), "an object holds two words");                      \
  __asm__(".section .data.rel,\"aw\"\n .globl " #name "\n .type " #name ", @object\n .size " #name ", " #size "\n .balign 64\n" #name \
          ":\n .quad " #handle "\n .quad " #fortran "\n .zero " #size " - 16\n .previous\n");
OBJECTS(OBJECT)
UNKNOWN_OBJECTS(OBJECT)

#define ENTRY(name, size, handle, fortran) [handle] = &name,
struct weft_object *const predefined[PREDEFINED] __attribute__((visibility("hidden"))) = {OBJECTS(ENTRY)};

#define FUNCTIONS_OF(KIND, handle)                                                                                             \
  int OMPI_C_MPI_##KIND##_NULL_DELETE_FN(handle h, int key, void *value, void *extra);                                         \
  int OMPI_C_MPI_##KIND##_NULL_COPY_FN(handle h, int key, void *extra, void *in, void *out, int *flag);                        \
  int OMPI_C_MPI_##KIND##_DUP_FN(handle h, int key, void *extra, void *in, void *out, int *flag);                              \
  int OMPI_C_MPI_##KIND##_NULL_DELETE_FN(handle h, int key, void *value, void *extra) {                                        \
    (void)h, (void)key, (void)value, (void)extra;                                                                              \
    return MPI_SUCCESS;                                                                                                        \
  }                                                                                                                            \
  int OMPI_C_MPI_##KIND##_NULL_COPY_FN(handle h, int key, void *extra, void *in, void *out, int *flag) {                       \
    (void)h, (void)key, (void)extra, (void)in, (void)out;                                                                      \
    *flag = 0;                                                                                                                 \
    return MPI_SUCCESS;                                                                                                        \
  }                                                                                                                            \
  int OMPI_C_MPI_##KIND##_DUP_FN(handle h, int key, void *extra, void *in, void *out, int *flag) {                             \
    (void)h, (void)key, (void)extra;                                                                                           \
    *(void **)out = in;                                                                                                        \
    *flag = 1;                                                                                                                 \
    return MPI_SUCCESS;                                                                                                        \
  }
FUNCTIONS_OF(COMM, MPI_Comm)
FUNCTIONS_OF(TYPE, MPI_Datatype)
FUNCTIONS_OF(WIN, MPI_Win)
int OMPI_C_MPI_NULL_DELETE_FN(MPI_Comm h, int key, void *value, void *extra) __attribute__((alias("OMPI_C_MPI_COMM_NULL_DELETE_FN")));
int OMPI_C_MPI_NULL_COPY_FN(MPI_Comm h, int key, void *extra, void *in, void *out, int *flag) __attribute__((alias("OMPI_C_MPI_COMM_NULL_COPY_FN")));
int OMPI_C_MPI_DUP_FN(MPI_Comm h, int key, void *extra, void *in, void *out, int *flag) __attribute__((alias("OMPI_C_MPI_COMM_DUP_FN")));

static MPI_Fint status_ignore[6], statuses_ignore[6];
MPI_Fint *MPI_F_STATUS_IGNORE = status_ignore, *MPI_F_STATUSES_IGNORE = statuses_ignore;

#pragma GCC visibility pop

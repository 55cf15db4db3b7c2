/* Open MPI's handles are addresses. Predefined ones are those of objects that programs may hold copies of: the first word is the
   interface's handle, the second one the number in Fortran. Those that programs make are the interface's, with a bit set that no
   address has. */
struct weft_object {
  uintptr_t handle;
  intptr_t fortran;
};

#define MADE ((uintptr_t)1 << 63)

static inline abi_handle in_object(const void *p) {
  if ((uintptr_t)p & MADE) return (abi_handle)((uintptr_t)p & ~MADE);
  return p ? (abi_handle)((const struct weft_object *)p)->handle : 0;
}

enum { PREDEFINED = 0x300 };
extern struct weft_object *const predefined[PREDEFINED];

static inline void *out_object(abi_handle h) {
  uintptr_t v = (uintptr_t)h;
  return v < PREDEFINED ? (void *)predefined[v] : (void *)(v | MADE);
}

#include "tables.h"

static inline void load_length(abi_status *to, const MPI_Status *from) {
  to->bytes = (int64_t)from->bytes;
  to->cancelled = from->cancelled;
}
static inline void store_length(MPI_Status *to, const abi_status *from) {
  to->bytes = (size_t)from->bytes;
  to->cancelled = from->cancelled;
}

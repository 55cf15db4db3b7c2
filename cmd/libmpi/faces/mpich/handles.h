/* MPICH's handles are integers. Those that programs make are the interface's, with two bits set that no predefined one has. */
enum { MADE = (int)0xc0000000 };

static inline abi_handle made(int h) { return (abi_handle)(uintptr_t)((h & MADE) == MADE ? h & ~MADE : 0); }
static inline int mark(abi_handle h) { return (int)(uintptr_t)h | MADE; }

#include "tables.h"

/* A status has 63 bits for the length, and one that says that it was cancelled. */
static inline void load_length(abi_status *to, const MPI_Status *from) {
  to->bytes = (int64_t)((uint64_t)((unsigned)from->count_high_and_cancelled >> 1) << 32 | (unsigned)from->count_low);
  to->cancelled = from->count_high_and_cancelled & 1;
}
static inline void store_length(MPI_Status *to, const abi_status *from) {
  to->count_low = (int)from->bytes;
  to->count_high_and_cancelled = (int)((unsigned)((uint64_t)from->bytes >> 32) << 1 | (from->cancelled != 0));
}

/* Reductions of elements that Go has no type for. */
#include "door.h"

#include <complex.h>
#include <string.h>

/* The kinds, as internal/abi numbers them. */
enum { LONG_DOUBLE = 1, LONG_DOUBLE_COMPLEX, LONG_DOUBLE_INT, QUAD };

#define EACH(type, expression)                 \
  {                                            \
    const type *a = in;                        \
    type *b = inout;                           \
    for (int64_t i = 0; i < n; i++) b[i] = (expression); \
    return 1;                                  \
  }

#define REAL(type)                                               \
  switch ((uintptr_t)op) {                                       \
  case (uintptr_t)0x21: EACH(type, a[i] + b[i])                  \
  case (uintptr_t)0x24: EACH(type, a[i] * b[i])                  \
  case (uintptr_t)0x22: EACH(type, a[i] < b[i] ? a[i] : b[i])    \
  case (uintptr_t)0x23: EACH(type, a[i] > b[i] ? a[i] : b[i])    \
  default: return 0;                                             \
  }

/* loc is MINLOC or MAXLOC on packed pairs: a long double, and an int right behind it. */
static int loc(int sign, const char *in, char *inout, int64_t n) {
  enum { value = sizeof(long double), size = value + sizeof(int) };
  for (int64_t i = 0; i < n; i++, in += size, inout += size) {
    long double a, b;
    int x, y;
    memcpy(&a, in, value);
    memcpy(&x, in + value, sizeof x);
    memcpy(&b, inout, value);
    memcpy(&y, inout + value, sizeof y);
    if (sign > 0 ? a > b : a < b) memcpy(inout, in, size);
    else if (a == b && x < y) memcpy(inout, in, size);
  }
  return 1;
}

int weft_fold(int own, int op, void *in, void *inout, int64_t n) {
  switch (own) {
  case LONG_DOUBLE: REAL(long double)
  case QUAD: REAL(__float128)
  case LONG_DOUBLE_COMPLEX:
    if (op == 0x21) EACH(long double _Complex, a[i] + b[i])
    if (op == 0x24) EACH(long double _Complex, a[i] * b[i])
    return 0;
  case LONG_DOUBLE_INT:
    if (op == 0x38) return loc(-1, in, inout, n);
    if (op == 0x39) return loc(1, in, inout, n);
  }
  return 0;
}

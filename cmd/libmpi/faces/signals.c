/* A face opens Weft's library for itself, so what that library does about handlers of signals does not reach the program: the face,
   which the program is linked with, does it. */
#define WEFT_FACE
#pragma GCC visibility push(default)
#include "../signals.c"
#pragma GCC visibility pop

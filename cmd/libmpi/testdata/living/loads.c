/* A program that is not linked with MPI, as Python is not, and loads it. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  void *lib;
  int (*init)(int *, char ***), (*finalize)(void), (*barrier)(void *);
  if (argc < 2) return 2;
  setenv("WEFT_BSEND", "1K", 1);
  lib = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!lib) {
    fprintf(stderr, "%s\n", dlerror());
    return 3;
  }
  *(void **)&init = dlsym(lib, "MPI_Init");
  *(void **)&barrier = dlsym(lib, "MPI_Barrier");
  *(void **)&finalize = dlsym(lib, "MPI_Finalize");
  if (init(NULL, NULL) || barrier((void *)0x101) || finalize()) return 4;
  dlclose(lib);
  return 0;
}

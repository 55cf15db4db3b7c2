/* What the interface has not, and programs use: MPI_Fint and the handles of Fortran, which are the same numbers, and names
   of MPI 1. A program that uses none of it, or defines MPI_ABI_STRICT, runs with every library of the interface, and
   so does one that does: all of it is made of the interface's functions. */
#ifndef MPI_ABI_STRICT
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L)
#define WEFT_INLINE static inline
#elif defined(__GNUC__)
#define WEFT_INLINE static __inline__ __attribute__((unused))
#else
#define WEFT_INLINE static
#endif

typedef int MPI_Fint;
#define MPI_F_STATUS_IGNORE ((MPI_Fint *)0)
#define MPI_F_STATUSES_IGNORE ((MPI_Fint *)0)

WEFT_INLINE MPI_Fint MPI_Comm_c2f(MPI_Comm h) { return MPI_Comm_toint(h); }
WEFT_INLINE MPI_Comm MPI_Comm_f2c(MPI_Fint h) { return MPI_Comm_fromint(h); }
WEFT_INLINE MPI_Fint MPI_Type_c2f(MPI_Datatype h) { return MPI_Type_toint(h); }
WEFT_INLINE MPI_Datatype MPI_Type_f2c(MPI_Fint h) { return MPI_Type_fromint(h); }
WEFT_INLINE MPI_Fint MPI_Errhandler_c2f(MPI_Errhandler h) { return MPI_Errhandler_toint(h); }
WEFT_INLINE MPI_Errhandler MPI_Errhandler_f2c(MPI_Fint h) { return MPI_Errhandler_fromint(h); }
WEFT_INLINE MPI_Fint MPI_File_c2f(MPI_File h) { return MPI_File_toint(h); }
WEFT_INLINE MPI_File MPI_File_f2c(MPI_Fint h) { return MPI_File_fromint(h); }
WEFT_INLINE MPI_Fint MPI_Group_c2f(MPI_Group h) { return MPI_Group_toint(h); }
WEFT_INLINE MPI_Group MPI_Group_f2c(MPI_Fint h) { return MPI_Group_fromint(h); }
WEFT_INLINE MPI_Fint MPI_Info_c2f(MPI_Info h) { return MPI_Info_toint(h); }
WEFT_INLINE MPI_Info MPI_Info_f2c(MPI_Fint h) { return MPI_Info_fromint(h); }
WEFT_INLINE MPI_Fint MPI_Message_c2f(MPI_Message h) { return MPI_Message_toint(h); }
WEFT_INLINE MPI_Message MPI_Message_f2c(MPI_Fint h) { return MPI_Message_fromint(h); }
WEFT_INLINE MPI_Fint MPI_Op_c2f(MPI_Op h) { return MPI_Op_toint(h); }
WEFT_INLINE MPI_Op MPI_Op_f2c(MPI_Fint h) { return MPI_Op_fromint(h); }
WEFT_INLINE MPI_Fint MPI_Request_c2f(MPI_Request h) { return MPI_Request_toint(h); }
WEFT_INLINE MPI_Request MPI_Request_f2c(MPI_Fint h) { return MPI_Request_fromint(h); }
WEFT_INLINE MPI_Fint MPI_Session_c2f(MPI_Session h) { return MPI_Session_toint(h); }
WEFT_INLINE MPI_Session MPI_Session_f2c(MPI_Fint h) { return MPI_Session_fromint(h); }
WEFT_INLINE MPI_Fint MPI_Win_c2f(MPI_Win h) { return MPI_Win_toint(h); }
WEFT_INLINE MPI_Win MPI_Win_f2c(MPI_Fint h) { return MPI_Win_fromint(h); }

/* A status is the same eight integers in Fortran. */
WEFT_INLINE int MPI_Status_c2f(const MPI_Status *c, MPI_Fint *f) {
  const int *from = (const int *)c; int i;
  for (i = 0; i < MPI_F_STATUS_SIZE; i++) f[i] = from[i];
  return MPI_SUCCESS;
}
WEFT_INLINE int MPI_Status_f2c(const MPI_Fint *f, MPI_Status *c) {
  int *to = (int *)c; int i;
  for (i = 0; i < MPI_F_STATUS_SIZE; i++) to[i] = f[i];
  return MPI_SUCCESS;
}

#define PMPI_Comm_c2f MPI_Comm_c2f
#define PMPI_Comm_f2c MPI_Comm_f2c
#define PMPI_Type_c2f MPI_Type_c2f
#define PMPI_Type_f2c MPI_Type_f2c
#define PMPI_Errhandler_c2f MPI_Errhandler_c2f
#define PMPI_Errhandler_f2c MPI_Errhandler_f2c
#define PMPI_File_c2f MPI_File_c2f
#define PMPI_File_f2c MPI_File_f2c
#define PMPI_Group_c2f MPI_Group_c2f
#define PMPI_Group_f2c MPI_Group_f2c
#define PMPI_Info_c2f MPI_Info_c2f
#define PMPI_Info_f2c MPI_Info_f2c
#define PMPI_Message_c2f MPI_Message_c2f
#define PMPI_Message_f2c MPI_Message_f2c
#define PMPI_Op_c2f MPI_Op_c2f
#define PMPI_Op_f2c MPI_Op_f2c
#define PMPI_Request_c2f MPI_Request_c2f
#define PMPI_Request_f2c MPI_Request_f2c
#define PMPI_Session_c2f MPI_Session_c2f
#define PMPI_Session_f2c MPI_Session_f2c
#define PMPI_Win_c2f MPI_Win_c2f
#define PMPI_Win_f2c MPI_Win_f2c
#define PMPI_Status_c2f MPI_Status_c2f
#define PMPI_Status_f2c MPI_Status_f2c

WEFT_INLINE int MPI_Address(void *p, MPI_Aint *a) { return MPI_Get_address(p, a); }
WEFT_INLINE int MPI_Type_hindexed(int n, int *l, MPI_Aint *d, MPI_Datatype t, MPI_Datatype *r) { return MPI_Type_create_hindexed(n, l, d, t, r); }
WEFT_INLINE int MPI_Type_hvector(int n, int l, MPI_Aint s, MPI_Datatype t, MPI_Datatype *r) { return MPI_Type_create_hvector(n, l, s, t, r); }
WEFT_INLINE int MPI_Type_struct(int n, int *l, MPI_Aint *d, MPI_Datatype *t, MPI_Datatype *r) { return MPI_Type_create_struct(n, l, d, t, r); }
WEFT_INLINE int MPI_Type_extent(MPI_Datatype t, MPI_Aint *e) { MPI_Aint lb; return MPI_Type_get_extent(t, &lb, e); }
WEFT_INLINE int MPI_Type_lb(MPI_Datatype t, MPI_Aint *lb) { MPI_Aint e; return MPI_Type_get_extent(t, lb, &e); }
WEFT_INLINE int MPI_Type_ub(MPI_Datatype t, MPI_Aint *ub) {
  MPI_Aint lb, e; int code = MPI_Type_get_extent(t, &lb, &e);
  if (code == MPI_SUCCESS) *ub = lb + e;
  return code;
}
typedef MPI_Comm_errhandler_function MPI_Handler_function;
WEFT_INLINE int MPI_Errhandler_create(MPI_Comm_errhandler_function *f, MPI_Errhandler *e) { return MPI_Comm_create_errhandler(f, e); }
WEFT_INLINE int MPI_Errhandler_set(MPI_Comm c, MPI_Errhandler e) { return MPI_Comm_set_errhandler(c, e); }
WEFT_INLINE int MPI_Errhandler_get(MPI_Comm c, MPI_Errhandler *e) { return MPI_Comm_get_errhandler(c, e); }
#endif

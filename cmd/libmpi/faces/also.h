/* What the faces have and the interface has not: integers for Fortran, and names of MPI 1. */
#ifndef WEFT_FACE_ALSO_H
#define WEFT_FACE_ALSO_H

#pragma GCC visibility push(default)

typedef int MPI_Fint;
typedef MPI_Comm_errhandler_function MPI_Handler_function;

#ifdef WEFT_FACE_MPICH
extern int *const MPI_UNWEIGHTED;
extern int *const MPI_WEIGHTS_EMPTY;
extern struct MPI_ABI_T_pvar_handle *const MPI_T_PVAR_ALL_HANDLES;
#define MPI_LB ((MPI_Datatype)0x4c000010)
#define MPI_UB ((MPI_Datatype)0x4c000011)
#else
extern struct weft_object ompi_mpi_lb, ompi_mpi_ub;
#define MPI_LB ((MPI_Datatype)&ompi_mpi_lb)
#define MPI_UB ((MPI_Datatype)&ompi_mpi_ub)
#endif

#define WEFT_INTEGERS(X) \
  X(Comm, MPI_Comm, Comm) X(Type, MPI_Datatype, Datatype) X(Errhandler, MPI_Errhandler, Errhandler) X(File, MPI_File, File) X(Group, MPI_Group, Group) \
  X(Info, MPI_Info, Info) X(Message, MPI_Message, Message) X(Op, MPI_Op, Op) X(Request, MPI_Request, Request) X(Session, MPI_Session, Session) \
  X(Win, MPI_Win, Win)
#define WEFT_DECLARE(name, type, kind)  \
  MPI_Fint MPI_##name##_c2f(type h);    \
  MPI_Fint PMPI_##name##_c2f(type h);   \
  type MPI_##name##_f2c(MPI_Fint h);    \
  type PMPI_##name##_f2c(MPI_Fint h);
WEFT_INTEGERS(WEFT_DECLARE)

int PMPI_Status_c2f(const MPI_Status *c, MPI_Fint *f);
int PMPI_Status_f2c(const MPI_Fint *f, MPI_Status *c);
int PMPI_Address(void *p, MPI_Aint *a);
int PMPI_Type_hindexed(int n, int *l, MPI_Aint *d, MPI_Datatype t, MPI_Datatype *r);
int PMPI_Type_hvector(int n, int l, MPI_Aint s, MPI_Datatype t, MPI_Datatype *r);
int PMPI_Type_struct(int n, int *l, MPI_Aint *d, MPI_Datatype *t, MPI_Datatype *r);
int PMPI_Type_extent(MPI_Datatype t, MPI_Aint *e);
int PMPI_Type_lb(MPI_Datatype t, MPI_Aint *lb);
int PMPI_Type_ub(MPI_Datatype t, MPI_Aint *ub);
int PMPI_Errhandler_create(MPI_Handler_function *f, MPI_Errhandler *e);
int PMPI_Errhandler_set(MPI_Comm c, MPI_Errhandler e);
int PMPI_Errhandler_get(MPI_Comm c, MPI_Errhandler *e);

int MPIX_Query_cuda_support(void);
int MPIX_Query_hip_support(void);
int MPIX_Query_ze_support(void);
int PMPIX_Query_cuda_support(void);
int PMPIX_Query_hip_support(void);
int PMPIX_Query_ze_support(void);

/* For the Fortran half of the face: functions that take all by address, and handles as integers. */
int weft_op_create_fortran(void *fn, int commute, MPI_Op *op);
int weft_errhandler_create_fortran(int kind, void *fn, MPI_Errhandler *errhandler);
enum { WEFT_OF_COMM, WEFT_OF_FILE, WEFT_OF_WIN, WEFT_OF_SESSION };

#pragma GCC visibility pop

#endif

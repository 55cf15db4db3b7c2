/* Written by go generate from internal/abi/spec. Do not edit. */

#include "face.h"

int PMPI_Abort(MPI_Comm comm, int errorcode) {
  return out_error(abi.Abort(in_Comm(comm), errorcode));
}
#pragma weak MPI_Abort = PMPI_Abort
int PMPI_Accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  return out_error(abi.Accumulate(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Op(op), in_Win(win)));
}
#pragma weak MPI_Accumulate = PMPI_Accumulate
#ifdef WEFT_FACE_MPICH
int PMPI_Accumulate_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  return out_error(abi.Accumulate_c(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Op(op), in_Win(win)));
}
#pragma weak MPI_Accumulate_c = PMPI_Accumulate_c
#endif
int PMPI_Add_error_class(int *errorclass) {
  int code = abi.Add_error_class(errorclass);
  if (code == 0 && errorclass) *errorclass = out_error(*errorclass);
  return out_error(code);
}
#pragma weak MPI_Add_error_class = PMPI_Add_error_class
int PMPI_Add_error_code(int errorclass, int *errorcode) {
  int code = abi.Add_error_code(in_error(errorclass), errorcode);
  if (code == 0 && errorcode) *errorcode = out_error(*errorcode);
  return out_error(code);
}
#pragma weak MPI_Add_error_code = PMPI_Add_error_code
int PMPI_Add_error_string(int errorcode, const char *string) {
  return out_error(abi.Add_error_string(in_error(errorcode), string));
}
#pragma weak MPI_Add_error_string = PMPI_Add_error_string
int PMPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Allgather(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Allgather = PMPI_Allgather
#ifdef WEFT_FACE_MPICH
int PMPI_Allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Allgather_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Allgather_c = PMPI_Allgather_c
#endif
int PMPI_Allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Allgather_init(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Allgather_init = PMPI_Allgather_init
#pragma weak MPIX_Allgather_init = PMPI_Allgather_init
#pragma weak PMPIX_Allgather_init = PMPI_Allgather_init
#ifdef WEFT_FACE_MPICH
int PMPI_Allgather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Allgather_init_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Allgather_init_c = PMPI_Allgather_init_c
#endif
int PMPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Allgatherv(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Allgatherv = PMPI_Allgatherv
#ifdef WEFT_FACE_MPICH
int PMPI_Allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Allgatherv_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Allgatherv_c = PMPI_Allgatherv_c
#endif
int PMPI_Allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Allgatherv_init(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Allgatherv_init = PMPI_Allgatherv_init
#pragma weak MPIX_Allgatherv_init = PMPI_Allgatherv_init
#pragma weak PMPIX_Allgatherv_init = PMPI_Allgatherv_init
#ifdef WEFT_FACE_MPICH
int PMPI_Allgatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Allgatherv_init_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Allgatherv_init_c = PMPI_Allgatherv_init_c
#endif
int PMPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr) {
  return out_error(abi.Alloc_mem(size, in_Info(info), in_buffer(baseptr)));
}
#pragma weak MPI_Alloc_mem = PMPI_Alloc_mem
int PMPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return out_error(abi.Allreduce(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm)));
}
#pragma weak MPI_Allreduce = PMPI_Allreduce
#ifdef WEFT_FACE_MPICH
int PMPI_Allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return out_error(abi.Allreduce_c(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm)));
}
#pragma weak MPI_Allreduce_c = PMPI_Allreduce_c
#endif
int PMPI_Allreduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Allreduce_init(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Allreduce_init = PMPI_Allreduce_init
#pragma weak MPIX_Allreduce_init = PMPI_Allreduce_init
#pragma weak PMPIX_Allreduce_init = PMPI_Allreduce_init
#ifdef WEFT_FACE_MPICH
int PMPI_Allreduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Allreduce_init_c(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Allreduce_init_c = PMPI_Allreduce_init_c
#endif
int PMPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Alltoall(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Alltoall = PMPI_Alltoall
#ifdef WEFT_FACE_MPICH
int PMPI_Alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Alltoall_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Alltoall_c = PMPI_Alltoall_c
#endif
int PMPI_Alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Alltoall_init(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Alltoall_init = PMPI_Alltoall_init
#pragma weak MPIX_Alltoall_init = PMPI_Alltoall_init
#pragma weak PMPIX_Alltoall_init = PMPI_Alltoall_init
#ifdef WEFT_FACE_MPICH
int PMPI_Alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Alltoall_init_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Alltoall_init_c = PMPI_Alltoall_init_c
#endif
int PMPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Alltoallv(in_buffer(sendbuf), sendcounts, sdispls, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, rdispls, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Alltoallv = PMPI_Alltoallv
#ifdef WEFT_FACE_MPICH
int PMPI_Alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Alltoallv_c(in_buffer(sendbuf), sendcounts, sdispls, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, rdispls, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Alltoallv_c = PMPI_Alltoallv_c
#endif
int PMPI_Alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Alltoallv_init(in_buffer(sendbuf), sendcounts, sdispls, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, rdispls, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Alltoallv_init = PMPI_Alltoallv_init
#pragma weak MPIX_Alltoallv_init = PMPI_Alltoallv_init
#pragma weak PMPIX_Alltoallv_init = PMPI_Alltoallv_init
#ifdef WEFT_FACE_MPICH
int PMPI_Alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Alltoallv_init_c(in_buffer(sendbuf), sendcounts, sdispls, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, rdispls, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Alltoallv_init_c = PMPI_Alltoallv_init_c
#endif
int PMPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  TAKE(Datatype, sendtypes, in_buffer((void *)sendbuf) == ABI_IN_PLACE ? 0 : peers(in_Comm(comm)))
  TAKE(Datatype, recvtypes, peers(in_Comm(comm)))
  int code = abi.Alltoallw(in_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, in_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, in_Comm(comm));
  DROP(sendtypes)
  DROP(recvtypes)
  return out_error(code);
}
#pragma weak MPI_Alltoallw = PMPI_Alltoallw
#ifdef WEFT_FACE_MPICH
int PMPI_Alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  TAKE(Datatype, sendtypes, in_buffer((void *)sendbuf) == ABI_IN_PLACE ? 0 : peers(in_Comm(comm)))
  TAKE(Datatype, recvtypes, peers(in_Comm(comm)))
  int code = abi.Alltoallw_c(in_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, in_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, in_Comm(comm));
  DROP(sendtypes)
  DROP(recvtypes)
  return out_error(code);
}
#pragma weak MPI_Alltoallw_c = PMPI_Alltoallw_c
#endif
int PMPI_Alltoallw_init(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  TAKE(Datatype, sendtypes, in_buffer((void *)sendbuf) == ABI_IN_PLACE ? 0 : peers(in_Comm(comm)))
  TAKE(Datatype, recvtypes, peers(in_Comm(comm)))
  abi_handle c_request = 0;
  int code = abi.Alltoallw_init(in_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, in_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, in_Comm(comm), in_Info(info), request ? &c_request : 0);
  DROP(sendtypes)
  DROP(recvtypes)
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Alltoallw_init = PMPI_Alltoallw_init
#pragma weak MPIX_Alltoallw_init = PMPI_Alltoallw_init
#pragma weak PMPIX_Alltoallw_init = PMPI_Alltoallw_init
#ifdef WEFT_FACE_MPICH
int PMPI_Alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  TAKE(Datatype, sendtypes, in_buffer((void *)sendbuf) == ABI_IN_PLACE ? 0 : peers(in_Comm(comm)))
  TAKE(Datatype, recvtypes, peers(in_Comm(comm)))
  abi_handle c_request = 0;
  int code = abi.Alltoallw_init_c(in_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, in_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, in_Comm(comm), in_Info(info), request ? &c_request : 0);
  DROP(sendtypes)
  DROP(recvtypes)
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Alltoallw_init_c = PMPI_Alltoallw_init_c
#endif
int PMPI_Attr_delete(MPI_Comm comm, int keyval) {
  return out_error(abi.Attr_delete(in_Comm(comm), in_keyval(keyval)));
}
#pragma weak MPI_Attr_delete = PMPI_Attr_delete
int PMPI_Attr_put(MPI_Comm comm, int keyval, void *attribute_val) {
  return out_error(abi.Attr_put(in_Comm(comm), in_keyval(keyval), in_buffer(attribute_val)));
}
#pragma weak MPI_Attr_put = PMPI_Attr_put
int PMPI_Barrier(MPI_Comm comm) {
  return out_error(abi.Barrier(in_Comm(comm)));
}
#pragma weak MPI_Barrier = PMPI_Barrier
int PMPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Barrier_init(in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Barrier_init = PMPI_Barrier_init
#pragma weak MPIX_Barrier_init = PMPI_Barrier_init
#pragma weak PMPIX_Barrier_init = PMPI_Barrier_init
int PMPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return out_error(abi.Bcast(in_buffer(buffer), count, in_Datatype(datatype), in_rank(root), in_Comm(comm)));
}
#pragma weak MPI_Bcast = PMPI_Bcast
#ifdef WEFT_FACE_MPICH
int PMPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return out_error(abi.Bcast_c(in_buffer(buffer), count, in_Datatype(datatype), in_rank(root), in_Comm(comm)));
}
#pragma weak MPI_Bcast_c = PMPI_Bcast_c
#endif
int PMPI_Bcast_init(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Bcast_init(in_buffer(buffer), count, in_Datatype(datatype), in_rank(root), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Bcast_init = PMPI_Bcast_init
#pragma weak MPIX_Bcast_init = PMPI_Bcast_init
#pragma weak PMPIX_Bcast_init = PMPI_Bcast_init
#ifdef WEFT_FACE_MPICH
int PMPI_Bcast_init_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Bcast_init_c(in_buffer(buffer), count, in_Datatype(datatype), in_rank(root), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Bcast_init_c = PMPI_Bcast_init_c
#endif
int PMPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return out_error(abi.Bsend(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm)));
}
#pragma weak MPI_Bsend = PMPI_Bsend
#ifdef WEFT_FACE_MPICH
int PMPI_Bsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return out_error(abi.Bsend_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm)));
}
#pragma weak MPI_Bsend_c = PMPI_Bsend_c
#endif
int PMPI_Bsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Bsend_init(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Bsend_init = PMPI_Bsend_init
#ifdef WEFT_FACE_MPICH
int PMPI_Bsend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Bsend_init_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Bsend_init_c = PMPI_Bsend_init_c
#endif
int PMPI_Buffer_attach(void *buffer, int size) {
  return out_error(abi.Buffer_attach(in_buffer(buffer), size));
}
#pragma weak MPI_Buffer_attach = PMPI_Buffer_attach
#ifdef WEFT_FACE_MPICH
int PMPI_Buffer_attach_c(void *buffer, MPI_Count size) {
  return out_error(abi.Buffer_attach_c(in_buffer(buffer), size));
}
#pragma weak MPI_Buffer_attach_c = PMPI_Buffer_attach_c
#endif
int PMPI_Buffer_detach(void *buffer_addr, int *size) {
  return out_error(abi.Buffer_detach(in_buffer(buffer_addr), size));
}
#pragma weak MPI_Buffer_detach = PMPI_Buffer_detach
#ifdef WEFT_FACE_MPICH
int PMPI_Buffer_detach_c(void *buffer_addr, MPI_Count *size) {
  return out_error(abi.Buffer_detach_c(in_buffer(buffer_addr), size));
}
#pragma weak MPI_Buffer_detach_c = PMPI_Buffer_detach_c
#endif
int PMPI_Buffer_flush(void) {
  return out_error(abi.Buffer_flush());
}
#pragma weak MPI_Buffer_flush = PMPI_Buffer_flush
int PMPI_Buffer_iflush(MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Buffer_iflush(request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Buffer_iflush = PMPI_Buffer_iflush
int PMPI_Cancel(MPI_Request *request) {
  abi_handle c_request = request ? in_Request(*request) : 0;
  int code = abi.Cancel(request ? &c_request : 0);
  if (request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Cancel = PMPI_Cancel
int PMPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[]) {
  return out_error(abi.Cart_coords(in_Comm(comm), in_rank(rank), maxdims, coords));
}
#pragma weak MPI_Cart_coords = PMPI_Cart_coords
int PMPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm *comm_cart) {
  abi_handle c_comm_cart = 0;
  int code = abi.Cart_create(in_Comm(comm_old), ndims, dims, periods, reorder, comm_cart ? &c_comm_cart : 0);
  if (c_comm_cart) *comm_cart = out_Comm(c_comm_cart);
  return out_error(code);
}
#pragma weak MPI_Cart_create = PMPI_Cart_create
int PMPI_Cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]) {
  return out_error(abi.Cart_get(in_Comm(comm), maxdims, dims, periods, coords));
}
#pragma weak MPI_Cart_get = PMPI_Cart_get
int PMPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank) {
  return out_error(abi.Cart_map(in_Comm(comm), ndims, dims, periods, newrank));
}
#pragma weak MPI_Cart_map = PMPI_Cart_map
int PMPI_Cart_rank(MPI_Comm comm, const int coords[], int *rank) {
  int code = abi.Cart_rank(in_Comm(comm), coords, rank);
  if (code == 0 && rank) *rank = out_rank(*rank);
  return out_error(code);
}
#pragma weak MPI_Cart_rank = PMPI_Cart_rank
int PMPI_Cart_shift(MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest) {
  int code = abi.Cart_shift(in_Comm(comm), direction, disp, rank_source, rank_dest);
  if (code == 0 && rank_source) *rank_source = out_rank(*rank_source);
  if (code == 0 && rank_dest) *rank_dest = out_rank(*rank_dest);
  return out_error(code);
}
#pragma weak MPI_Cart_shift = PMPI_Cart_shift
int PMPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm) {
  abi_handle c_newcomm = 0;
  int code = abi.Cart_sub(in_Comm(comm), remain_dims, newcomm ? &c_newcomm : 0);
  if (c_newcomm) *newcomm = out_Comm(c_newcomm);
  return out_error(code);
}
#pragma weak MPI_Cart_sub = PMPI_Cart_sub
int PMPI_Cartdim_get(MPI_Comm comm, int *ndims) {
  return out_error(abi.Cartdim_get(in_Comm(comm), ndims));
}
#pragma weak MPI_Cartdim_get = PMPI_Cartdim_get
int PMPI_Close_port(const char *port_name) {
  return out_error(abi.Close_port(port_name));
}
#pragma weak MPI_Close_port = PMPI_Close_port
int PMPI_Comm_accept(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm) {
  abi_handle c_newcomm = 0;
  int code = abi.Comm_accept(port_name, in_Info(info), in_rank(root), in_Comm(comm), newcomm ? &c_newcomm : 0);
  if (c_newcomm) *newcomm = out_Comm(c_newcomm);
  return out_error(code);
}
#pragma weak MPI_Comm_accept = PMPI_Comm_accept
int PMPI_Comm_attach_buffer(MPI_Comm comm, void *buffer, int size) {
  return out_error(abi.Comm_attach_buffer(in_Comm(comm), in_buffer(buffer), size));
}
#pragma weak MPI_Comm_attach_buffer = PMPI_Comm_attach_buffer
#ifdef WEFT_FACE_MPICH
int PMPI_Comm_attach_buffer_c(MPI_Comm comm, void *buffer, MPI_Count size) {
  return out_error(abi.Comm_attach_buffer_c(in_Comm(comm), in_buffer(buffer), size));
}
#pragma weak MPI_Comm_attach_buffer_c = PMPI_Comm_attach_buffer_c
#endif
int PMPI_Comm_call_errhandler(MPI_Comm comm, int errorcode) {
  return out_error(abi.Comm_call_errhandler(in_Comm(comm), in_error(errorcode)));
}
#pragma weak MPI_Comm_call_errhandler = PMPI_Comm_call_errhandler
int PMPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result) {
  int code = abi.Comm_compare(in_Comm(comm1), in_Comm(comm2), result);
  if (code == 0 && result) *result = out_comparison(*result);
  return out_error(code);
}
#pragma weak MPI_Comm_compare = PMPI_Comm_compare
int PMPI_Comm_connect(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm) {
  abi_handle c_newcomm = 0;
  int code = abi.Comm_connect(port_name, in_Info(info), in_rank(root), in_Comm(comm), newcomm ? &c_newcomm : 0);
  if (c_newcomm) *newcomm = out_Comm(c_newcomm);
  return out_error(code);
}
#pragma weak MPI_Comm_connect = PMPI_Comm_connect
int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm) {
  abi_handle c_newcomm = 0;
  int code = abi.Comm_create(in_Comm(comm), in_Group(group), newcomm ? &c_newcomm : 0);
  if (c_newcomm) *newcomm = out_Comm(c_newcomm);
  return out_error(code);
}
#pragma weak MPI_Comm_create = PMPI_Comm_create
int PMPI_Comm_create_from_group(MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newcomm) {
  abi_handle c_newcomm = 0;
  int code = abi.Comm_create_from_group(in_Group(group), stringtag, in_Info(info), in_Errhandler(errhandler), newcomm ? &c_newcomm : 0);
  if (c_newcomm) *newcomm = out_Comm(c_newcomm);
  return out_error(code);
}
#pragma weak MPI_Comm_create_from_group = PMPI_Comm_create_from_group
int PMPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm) {
  abi_handle c_newcomm = 0;
  int code = abi.Comm_create_group(in_Comm(comm), in_Group(group), in_tag(tag), newcomm ? &c_newcomm : 0);
  if (c_newcomm) *newcomm = out_Comm(c_newcomm);
  return out_error(code);
}
#pragma weak MPI_Comm_create_group = PMPI_Comm_create_group
int PMPI_Comm_delete_attr(MPI_Comm comm, int comm_keyval) {
  return out_error(abi.Comm_delete_attr(in_Comm(comm), in_keyval(comm_keyval)));
}
#pragma weak MPI_Comm_delete_attr = PMPI_Comm_delete_attr
int PMPI_Comm_detach_buffer(MPI_Comm comm, void *buffer_addr, int *size) {
  return out_error(abi.Comm_detach_buffer(in_Comm(comm), in_buffer(buffer_addr), size));
}
#pragma weak MPI_Comm_detach_buffer = PMPI_Comm_detach_buffer
#ifdef WEFT_FACE_MPICH
int PMPI_Comm_detach_buffer_c(MPI_Comm comm, void *buffer_addr, MPI_Count *size) {
  return out_error(abi.Comm_detach_buffer_c(in_Comm(comm), in_buffer(buffer_addr), size));
}
#pragma weak MPI_Comm_detach_buffer_c = PMPI_Comm_detach_buffer_c
#endif
int PMPI_Comm_disconnect(MPI_Comm *comm) {
  abi_handle c_comm = comm ? in_Comm(*comm) : 0;
  int code = abi.Comm_disconnect(comm ? &c_comm : 0);
  if (comm) *comm = out_Comm(c_comm);
  return out_error(code);
}
#pragma weak MPI_Comm_disconnect = PMPI_Comm_disconnect
int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm) {
  abi_handle c_newcomm = 0;
  int code = abi.Comm_dup(in_Comm(comm), newcomm ? &c_newcomm : 0);
  if (c_newcomm) *newcomm = out_Comm(c_newcomm);
  return out_error(code);
}
#pragma weak MPI_Comm_dup = PMPI_Comm_dup
int PMPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm) {
  abi_handle c_newcomm = 0;
  int code = abi.Comm_dup_with_info(in_Comm(comm), in_Info(info), newcomm ? &c_newcomm : 0);
  if (c_newcomm) *newcomm = out_Comm(c_newcomm);
  return out_error(code);
}
#pragma weak MPI_Comm_dup_with_info = PMPI_Comm_dup_with_info
int PMPI_Comm_flush_buffer(MPI_Comm comm) {
  return out_error(abi.Comm_flush_buffer(in_Comm(comm)));
}
#pragma weak MPI_Comm_flush_buffer = PMPI_Comm_flush_buffer
int PMPI_Comm_free(MPI_Comm *comm) {
  abi_handle c_comm = comm ? in_Comm(*comm) : 0;
  int code = abi.Comm_free(comm ? &c_comm : 0);
  if (comm) *comm = out_Comm(c_comm);
  return out_error(code);
}
#pragma weak MPI_Comm_free = PMPI_Comm_free
int PMPI_Comm_free_keyval(int *comm_keyval) {
  int c_comm_keyval = comm_keyval ? in_keyval(*comm_keyval) : 0;
  int code = abi.Comm_free_keyval(comm_keyval ? &c_comm_keyval : 0);
  if (comm_keyval) *comm_keyval = out_keyval(c_comm_keyval);
  return out_error(code);
}
#pragma weak MPI_Comm_free_keyval = PMPI_Comm_free_keyval
int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler) {
  abi_handle c_errhandler = 0;
  int code = abi.Comm_get_errhandler(in_Comm(comm), errhandler ? &c_errhandler : 0);
  if (c_errhandler) *errhandler = out_Errhandler(c_errhandler);
  return out_error(code);
}
#pragma weak MPI_Comm_get_errhandler = PMPI_Comm_get_errhandler
int PMPI_Comm_get_info(MPI_Comm comm, MPI_Info *info_used) {
  abi_handle c_info_used = 0;
  int code = abi.Comm_get_info(in_Comm(comm), info_used ? &c_info_used : 0);
  if (c_info_used) *info_used = out_Info(c_info_used);
  return out_error(code);
}
#pragma weak MPI_Comm_get_info = PMPI_Comm_get_info
int PMPI_Comm_get_name(MPI_Comm comm, char *comm_name, int *resultlen) {
  char c_comm_name[ABI_MAX_OBJECT_NAME] = "";
  int code = abi.Comm_get_name(in_Comm(comm), comm_name ? c_comm_name : 0, resultlen);
  if (code == 0) out_text(comm_name, MPI_MAX_OBJECT_NAME, c_comm_name, resultlen);
  return out_error(code);
}
#pragma weak MPI_Comm_get_name = PMPI_Comm_get_name
int PMPI_Comm_get_parent(MPI_Comm *parent) {
  abi_handle c_parent = 0;
  int code = abi.Comm_get_parent(parent ? &c_parent : 0);
  if (c_parent) *parent = out_Comm(c_parent);
  return out_error(code);
}
#pragma weak MPI_Comm_get_parent = PMPI_Comm_get_parent
int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group) {
  abi_handle c_group = 0;
  int code = abi.Comm_group(in_Comm(comm), group ? &c_group : 0);
  if (c_group) *group = out_Group(c_group);
  return out_error(code);
}
#pragma weak MPI_Comm_group = PMPI_Comm_group
int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request) {
  abi_handle c_newcomm = 0;
  abi_handle c_request = 0;
  int code = abi.Comm_idup(in_Comm(comm), newcomm ? &c_newcomm : 0, request ? &c_request : 0);
  if (c_newcomm) *newcomm = out_Comm(c_newcomm);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Comm_idup = PMPI_Comm_idup
int PMPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request) {
  abi_handle c_newcomm = 0;
  abi_handle c_request = 0;
  int code = abi.Comm_idup_with_info(in_Comm(comm), in_Info(info), newcomm ? &c_newcomm : 0, request ? &c_request : 0);
  if (c_newcomm) *newcomm = out_Comm(c_newcomm);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Comm_idup_with_info = PMPI_Comm_idup_with_info
int PMPI_Comm_iflush_buffer(MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Comm_iflush_buffer(in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Comm_iflush_buffer = PMPI_Comm_iflush_buffer
int PMPI_Comm_join(int fd, MPI_Comm *intercomm) {
  abi_handle c_intercomm = 0;
  int code = abi.Comm_join(fd, intercomm ? &c_intercomm : 0);
  if (c_intercomm) *intercomm = out_Comm(c_intercomm);
  return out_error(code);
}
#pragma weak MPI_Comm_join = PMPI_Comm_join
int PMPI_Comm_rank(MPI_Comm comm, int *rank) {
  int code = abi.Comm_rank(in_Comm(comm), rank);
  if (code == 0 && rank) *rank = out_rank(*rank);
  return out_error(code);
}
#pragma weak MPI_Comm_rank = PMPI_Comm_rank
int PMPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group) {
  abi_handle c_group = 0;
  int code = abi.Comm_remote_group(in_Comm(comm), group ? &c_group : 0);
  if (c_group) *group = out_Group(c_group);
  return out_error(code);
}
#pragma weak MPI_Comm_remote_group = PMPI_Comm_remote_group
int PMPI_Comm_remote_size(MPI_Comm comm, int *size) {
  return out_error(abi.Comm_remote_size(in_Comm(comm), size));
}
#pragma weak MPI_Comm_remote_size = PMPI_Comm_remote_size
int PMPI_Comm_set_attr(MPI_Comm comm, int comm_keyval, void *attribute_val) {
  return out_error(abi.Comm_set_attr(in_Comm(comm), in_keyval(comm_keyval), in_buffer(attribute_val)));
}
#pragma weak MPI_Comm_set_attr = PMPI_Comm_set_attr
int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler) {
  return out_error(abi.Comm_set_errhandler(in_Comm(comm), in_Errhandler(errhandler)));
}
#pragma weak MPI_Comm_set_errhandler = PMPI_Comm_set_errhandler
int PMPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
  return out_error(abi.Comm_set_info(in_Comm(comm), in_Info(info)));
}
#pragma weak MPI_Comm_set_info = PMPI_Comm_set_info
int PMPI_Comm_set_name(MPI_Comm comm, const char *comm_name) {
  return out_error(abi.Comm_set_name(in_Comm(comm), comm_name));
}
#pragma weak MPI_Comm_set_name = PMPI_Comm_set_name
int PMPI_Comm_size(MPI_Comm comm, int *size) {
  return out_error(abi.Comm_size(in_Comm(comm), size));
}
#pragma weak MPI_Comm_size = PMPI_Comm_size
int PMPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]) {
  abi_handle c_intercomm = 0;
  int code = abi.Comm_spawn(command, argv, maxprocs, in_Info(info), in_rank(root), in_Comm(comm), intercomm ? &c_intercomm : 0, array_of_errcodes);
  if (c_intercomm) *intercomm = out_Comm(c_intercomm);
  return out_error(code);
}
#pragma weak MPI_Comm_spawn = PMPI_Comm_spawn
int PMPI_Comm_spawn_multiple(int count, char *array_of_commands[], char **array_of_argv[], const int array_of_maxprocs[], const MPI_Info array_of_info[], int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]) {
  TAKE(Info, array_of_info, count)
  abi_handle c_intercomm = 0;
  int code = abi.Comm_spawn_multiple(count, array_of_commands, array_of_argv, array_of_maxprocs, c_array_of_info, in_rank(root), in_Comm(comm), intercomm ? &c_intercomm : 0, array_of_errcodes);
  DROP(array_of_info)
  if (c_intercomm) *intercomm = out_Comm(c_intercomm);
  return out_error(code);
}
#pragma weak MPI_Comm_spawn_multiple = PMPI_Comm_spawn_multiple
int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm) {
  abi_handle c_newcomm = 0;
  int code = abi.Comm_split(in_Comm(comm), color, key, newcomm ? &c_newcomm : 0);
  if (c_newcomm) *newcomm = out_Comm(c_newcomm);
  return out_error(code);
}
#pragma weak MPI_Comm_split = PMPI_Comm_split
int PMPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm) {
  abi_handle c_newcomm = 0;
  int code = abi.Comm_split_type(in_Comm(comm), in_split(split_type), in_keyval(key), in_Info(info), newcomm ? &c_newcomm : 0);
  if (c_newcomm) *newcomm = out_Comm(c_newcomm);
  return out_error(code);
}
#pragma weak MPI_Comm_split_type = PMPI_Comm_split_type
int PMPI_Comm_test_inter(MPI_Comm comm, int *flag) {
  return out_error(abi.Comm_test_inter(in_Comm(comm), flag));
}
#pragma weak MPI_Comm_test_inter = PMPI_Comm_test_inter
int PMPI_Compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr, MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win) {
  return out_error(abi.Compare_and_swap(in_buffer(origin_addr), in_buffer(compare_addr), in_buffer(result_addr), in_Datatype(datatype), in_rank(target_rank), target_disp, in_Win(win)));
}
#pragma weak MPI_Compare_and_swap = PMPI_Compare_and_swap
int PMPI_Dims_create(int nnodes, int ndims, int dims[]) {
  return out_error(abi.Dims_create(nnodes, ndims, dims));
}
#pragma weak MPI_Dims_create = PMPI_Dims_create
int PMPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[], const int degrees[], const int destinations[], const int weights[], MPI_Info info, int reorder, MPI_Comm *comm_dist_graph) {
  abi_handle c_comm_dist_graph = 0;
  int code = abi.Dist_graph_create(in_Comm(comm_old), n, sources, degrees, destinations, in_weights(weights), in_Info(info), reorder, comm_dist_graph ? &c_comm_dist_graph : 0);
  if (c_comm_dist_graph) *comm_dist_graph = out_Comm(c_comm_dist_graph);
  return out_error(code);
}
#pragma weak MPI_Dist_graph_create = PMPI_Dist_graph_create
int PMPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[], const int sourceweights[], int outdegree, const int destinations[], const int destweights[], MPI_Info info, int reorder, MPI_Comm *comm_dist_graph) {
  abi_handle c_comm_dist_graph = 0;
  int code = abi.Dist_graph_create_adjacent(in_Comm(comm_old), indegree, sources, in_weights(sourceweights), outdegree, destinations, in_weights(destweights), in_Info(info), reorder, comm_dist_graph ? &c_comm_dist_graph : 0);
  if (c_comm_dist_graph) *comm_dist_graph = out_Comm(c_comm_dist_graph);
  return out_error(code);
}
#pragma weak MPI_Dist_graph_create_adjacent = PMPI_Dist_graph_create_adjacent
int PMPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[], int sourceweights[], int maxoutdegree, int destinations[], int destweights[]) {
  return out_error(abi.Dist_graph_neighbors(in_Comm(comm), maxindegree, sources, in_weights(sourceweights), maxoutdegree, destinations, in_weights(destweights)));
}
#pragma weak MPI_Dist_graph_neighbors = PMPI_Dist_graph_neighbors
int PMPI_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted) {
  return out_error(abi.Dist_graph_neighbors_count(in_Comm(comm), indegree, outdegree, weighted));
}
#pragma weak MPI_Dist_graph_neighbors_count = PMPI_Dist_graph_neighbors_count
int PMPI_Errhandler_free(MPI_Errhandler *errhandler) {
  abi_handle c_errhandler = errhandler ? in_Errhandler(*errhandler) : 0;
  int code = abi.Errhandler_free(errhandler ? &c_errhandler : 0);
  if (errhandler) *errhandler = out_Errhandler(c_errhandler);
  return out_error(code);
}
#pragma weak MPI_Errhandler_free = PMPI_Errhandler_free
int PMPI_Error_class(int errorcode, int *errorclass) {
  int code = abi.Error_class(in_error(errorcode), errorclass);
  if (code == 0 && errorclass) *errorclass = out_error(*errorclass);
  return out_error(code);
}
#pragma weak MPI_Error_class = PMPI_Error_class
int PMPI_Error_string(int errorcode, char *string, int *resultlen) {
  char c_string[ABI_MAX_ERROR_STRING] = "";
  int code = abi.Error_string(in_error(errorcode), string ? c_string : 0, resultlen);
  if (code == 0) out_text(string, MPI_MAX_ERROR_STRING, c_string, resultlen);
  return out_error(code);
}
#pragma weak MPI_Error_string = PMPI_Error_string
int PMPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return out_error(abi.Exscan(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm)));
}
#pragma weak MPI_Exscan = PMPI_Exscan
#ifdef WEFT_FACE_MPICH
int PMPI_Exscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return out_error(abi.Exscan_c(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm)));
}
#pragma weak MPI_Exscan_c = PMPI_Exscan_c
#endif
int PMPI_Exscan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Exscan_init(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Exscan_init = PMPI_Exscan_init
#pragma weak MPIX_Exscan_init = PMPI_Exscan_init
#pragma weak PMPIX_Exscan_init = PMPI_Exscan_init
#ifdef WEFT_FACE_MPICH
int PMPI_Exscan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Exscan_init_c(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Exscan_init_c = PMPI_Exscan_init_c
#endif
int PMPI_Fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Op op, MPI_Win win) {
  return out_error(abi.Fetch_and_op(in_buffer(origin_addr), in_buffer(result_addr), in_Datatype(datatype), in_rank(target_rank), target_disp, in_Op(op), in_Win(win)));
}
#pragma weak MPI_Fetch_and_op = PMPI_Fetch_and_op
int PMPI_File_call_errhandler(MPI_File fh, int errorcode) {
  return out_error(abi.File_call_errhandler(in_File(fh), in_error(errorcode)));
}
#pragma weak MPI_File_call_errhandler = PMPI_File_call_errhandler
int PMPI_File_close(MPI_File *fh) {
  abi_handle c_fh = fh ? in_File(*fh) : 0;
  int code = abi.File_close(fh ? &c_fh : 0);
  if (fh) *fh = out_File(c_fh);
  return out_error(code);
}
#pragma weak MPI_File_close = PMPI_File_close
int PMPI_File_delete(const char *filename, MPI_Info info) {
  return out_error(abi.File_delete(filename, in_Info(info)));
}
#pragma weak MPI_File_delete = PMPI_File_delete
int PMPI_File_get_amode(MPI_File fh, int *amode) {
  int code = abi.File_get_amode(in_File(fh), amode);
  if (code == 0 && amode) *amode = out_access(*amode);
  return out_error(code);
}
#pragma weak MPI_File_get_amode = PMPI_File_get_amode
int PMPI_File_get_atomicity(MPI_File fh, int *flag) {
  return out_error(abi.File_get_atomicity(in_File(fh), flag));
}
#pragma weak MPI_File_get_atomicity = PMPI_File_get_atomicity
int PMPI_File_get_byte_offset(MPI_File fh, MPI_Offset offset, MPI_Offset *disp) {
  return out_error(abi.File_get_byte_offset(in_File(fh), offset, disp));
}
#pragma weak MPI_File_get_byte_offset = PMPI_File_get_byte_offset
int PMPI_File_get_errhandler(MPI_File file, MPI_Errhandler *errhandler) {
  abi_handle c_errhandler = 0;
  int code = abi.File_get_errhandler(in_File(file), errhandler ? &c_errhandler : 0);
  if (c_errhandler) *errhandler = out_Errhandler(c_errhandler);
  return out_error(code);
}
#pragma weak MPI_File_get_errhandler = PMPI_File_get_errhandler
int PMPI_File_get_group(MPI_File fh, MPI_Group *group) {
  abi_handle c_group = 0;
  int code = abi.File_get_group(in_File(fh), group ? &c_group : 0);
  if (c_group) *group = out_Group(c_group);
  return out_error(code);
}
#pragma weak MPI_File_get_group = PMPI_File_get_group
int PMPI_File_get_info(MPI_File fh, MPI_Info *info_used) {
  abi_handle c_info_used = 0;
  int code = abi.File_get_info(in_File(fh), info_used ? &c_info_used : 0);
  if (c_info_used) *info_used = out_Info(c_info_used);
  return out_error(code);
}
#pragma weak MPI_File_get_info = PMPI_File_get_info
int PMPI_File_get_position(MPI_File fh, MPI_Offset *offset) {
  return out_error(abi.File_get_position(in_File(fh), offset));
}
#pragma weak MPI_File_get_position = PMPI_File_get_position
int PMPI_File_get_position_shared(MPI_File fh, MPI_Offset *offset) {
  return out_error(abi.File_get_position_shared(in_File(fh), offset));
}
#pragma weak MPI_File_get_position_shared = PMPI_File_get_position_shared
int PMPI_File_get_size(MPI_File fh, MPI_Offset *size) {
  return out_error(abi.File_get_size(in_File(fh), size));
}
#pragma weak MPI_File_get_size = PMPI_File_get_size
int PMPI_File_get_type_extent(MPI_File fh, MPI_Datatype datatype, MPI_Aint *extent) {
  return out_error(abi.File_get_type_extent(in_File(fh), in_Datatype(datatype), extent));
}
#pragma weak MPI_File_get_type_extent = PMPI_File_get_type_extent
#ifdef WEFT_FACE_MPICH
int PMPI_File_get_type_extent_c(MPI_File fh, MPI_Datatype datatype, MPI_Count *extent) {
  return out_error(abi.File_get_type_extent_c(in_File(fh), in_Datatype(datatype), extent));
}
#pragma weak MPI_File_get_type_extent_c = PMPI_File_get_type_extent_c
#endif
int PMPI_File_get_view(MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype, char *datarep) {
  abi_handle c_etype = 0;
  abi_handle c_filetype = 0;
  int code = abi.File_get_view(in_File(fh), disp, etype ? &c_etype : 0, filetype ? &c_filetype : 0, datarep);
  if (c_etype) *etype = out_Datatype(c_etype);
  if (c_filetype) *filetype = out_Datatype(c_filetype);
  return out_error(code);
}
#pragma weak MPI_File_get_view = PMPI_File_get_view
int PMPI_File_iread(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iread(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iread = PMPI_File_iread
int PMPI_File_iread_all(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iread_all(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iread_all = PMPI_File_iread_all
#ifdef WEFT_FACE_MPICH
int PMPI_File_iread_all_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iread_all_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iread_all_c = PMPI_File_iread_all_c
#endif
int PMPI_File_iread_at(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iread_at(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iread_at = PMPI_File_iread_at
int PMPI_File_iread_at_all(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iread_at_all(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iread_at_all = PMPI_File_iread_at_all
#ifdef WEFT_FACE_MPICH
int PMPI_File_iread_at_all_c(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iread_at_all_c(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iread_at_all_c = PMPI_File_iread_at_all_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_File_iread_at_c(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iread_at_c(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iread_at_c = PMPI_File_iread_at_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_File_iread_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iread_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iread_c = PMPI_File_iread_c
#endif
int PMPI_File_iread_shared(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iread_shared(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iread_shared = PMPI_File_iread_shared
#ifdef WEFT_FACE_MPICH
int PMPI_File_iread_shared_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iread_shared_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iread_shared_c = PMPI_File_iread_shared_c
#endif
int PMPI_File_iwrite(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iwrite(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iwrite = PMPI_File_iwrite
int PMPI_File_iwrite_all(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iwrite_all(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iwrite_all = PMPI_File_iwrite_all
#ifdef WEFT_FACE_MPICH
int PMPI_File_iwrite_all_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iwrite_all_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iwrite_all_c = PMPI_File_iwrite_all_c
#endif
int PMPI_File_iwrite_at(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iwrite_at(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iwrite_at = PMPI_File_iwrite_at
int PMPI_File_iwrite_at_all(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iwrite_at_all(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iwrite_at_all = PMPI_File_iwrite_at_all
#ifdef WEFT_FACE_MPICH
int PMPI_File_iwrite_at_all_c(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iwrite_at_all_c(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iwrite_at_all_c = PMPI_File_iwrite_at_all_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_File_iwrite_at_c(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iwrite_at_c(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iwrite_at_c = PMPI_File_iwrite_at_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_File_iwrite_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iwrite_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iwrite_c = PMPI_File_iwrite_c
#endif
int PMPI_File_iwrite_shared(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iwrite_shared(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iwrite_shared = PMPI_File_iwrite_shared
#ifdef WEFT_FACE_MPICH
int PMPI_File_iwrite_shared_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.File_iwrite_shared_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_File_iwrite_shared_c = PMPI_File_iwrite_shared_c
#endif
int PMPI_File_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh) {
  abi_handle c_fh = 0;
  int code = abi.File_open(in_Comm(comm), filename, in_access(amode), in_Info(info), fh ? &c_fh : 0);
  if (c_fh) *fh = out_File(c_fh);
  return out_error(code);
}
#pragma weak MPI_File_open = PMPI_File_open
int PMPI_File_preallocate(MPI_File fh, MPI_Offset size) {
  return out_error(abi.File_preallocate(in_File(fh), size));
}
#pragma weak MPI_File_preallocate = PMPI_File_preallocate
int PMPI_File_read(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_read(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_read = PMPI_File_read
int PMPI_File_read_all(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_read_all(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_read_all = PMPI_File_read_all
int PMPI_File_read_all_begin(MPI_File fh, void *buf, int count, MPI_Datatype datatype) {
  return out_error(abi.File_read_all_begin(in_File(fh), in_buffer(buf), count, in_Datatype(datatype)));
}
#pragma weak MPI_File_read_all_begin = PMPI_File_read_all_begin
#ifdef WEFT_FACE_MPICH
int PMPI_File_read_all_begin_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype) {
  return out_error(abi.File_read_all_begin_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype)));
}
#pragma weak MPI_File_read_all_begin_c = PMPI_File_read_all_begin_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_File_read_all_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_read_all_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_read_all_c = PMPI_File_read_all_c
#endif
int PMPI_File_read_all_end(MPI_File fh, void *buf, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_read_all_end(in_File(fh), in_buffer(buf), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_read_all_end = PMPI_File_read_all_end
int PMPI_File_read_at(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_read_at(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_read_at = PMPI_File_read_at
int PMPI_File_read_at_all(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_read_at_all(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_read_at_all = PMPI_File_read_at_all
int PMPI_File_read_at_all_begin(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype) {
  return out_error(abi.File_read_at_all_begin(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype)));
}
#pragma weak MPI_File_read_at_all_begin = PMPI_File_read_at_all_begin
#ifdef WEFT_FACE_MPICH
int PMPI_File_read_at_all_begin_c(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype) {
  return out_error(abi.File_read_at_all_begin_c(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype)));
}
#pragma weak MPI_File_read_at_all_begin_c = PMPI_File_read_at_all_begin_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_File_read_at_all_c(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_read_at_all_c(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_read_at_all_c = PMPI_File_read_at_all_c
#endif
int PMPI_File_read_at_all_end(MPI_File fh, void *buf, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_read_at_all_end(in_File(fh), in_buffer(buf), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_read_at_all_end = PMPI_File_read_at_all_end
#ifdef WEFT_FACE_MPICH
int PMPI_File_read_at_c(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_read_at_c(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_read_at_c = PMPI_File_read_at_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_File_read_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_read_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_read_c = PMPI_File_read_c
#endif
int PMPI_File_read_ordered(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_read_ordered(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_read_ordered = PMPI_File_read_ordered
int PMPI_File_read_ordered_begin(MPI_File fh, void *buf, int count, MPI_Datatype datatype) {
  return out_error(abi.File_read_ordered_begin(in_File(fh), in_buffer(buf), count, in_Datatype(datatype)));
}
#pragma weak MPI_File_read_ordered_begin = PMPI_File_read_ordered_begin
#ifdef WEFT_FACE_MPICH
int PMPI_File_read_ordered_begin_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype) {
  return out_error(abi.File_read_ordered_begin_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype)));
}
#pragma weak MPI_File_read_ordered_begin_c = PMPI_File_read_ordered_begin_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_File_read_ordered_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_read_ordered_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_read_ordered_c = PMPI_File_read_ordered_c
#endif
int PMPI_File_read_ordered_end(MPI_File fh, void *buf, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_read_ordered_end(in_File(fh), in_buffer(buf), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_read_ordered_end = PMPI_File_read_ordered_end
int PMPI_File_read_shared(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_read_shared(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_read_shared = PMPI_File_read_shared
#ifdef WEFT_FACE_MPICH
int PMPI_File_read_shared_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_read_shared_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_read_shared_c = PMPI_File_read_shared_c
#endif
int PMPI_File_seek(MPI_File fh, MPI_Offset offset, int whence) {
  return out_error(abi.File_seek(in_File(fh), offset, in_whence(whence)));
}
#pragma weak MPI_File_seek = PMPI_File_seek
int PMPI_File_seek_shared(MPI_File fh, MPI_Offset offset, int whence) {
  return out_error(abi.File_seek_shared(in_File(fh), offset, in_whence(whence)));
}
#pragma weak MPI_File_seek_shared = PMPI_File_seek_shared
int PMPI_File_set_atomicity(MPI_File fh, int flag) {
  return out_error(abi.File_set_atomicity(in_File(fh), flag));
}
#pragma weak MPI_File_set_atomicity = PMPI_File_set_atomicity
int PMPI_File_set_errhandler(MPI_File file, MPI_Errhandler errhandler) {
  return out_error(abi.File_set_errhandler(in_File(file), in_Errhandler(errhandler)));
}
#pragma weak MPI_File_set_errhandler = PMPI_File_set_errhandler
int PMPI_File_set_info(MPI_File fh, MPI_Info info) {
  return out_error(abi.File_set_info(in_File(fh), in_Info(info)));
}
#pragma weak MPI_File_set_info = PMPI_File_set_info
int PMPI_File_set_size(MPI_File fh, MPI_Offset size) {
  return out_error(abi.File_set_size(in_File(fh), size));
}
#pragma weak MPI_File_set_size = PMPI_File_set_size
int PMPI_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char *datarep, MPI_Info info) {
  return out_error(abi.File_set_view(in_File(fh), in_displacement(disp), in_Datatype(etype), in_Datatype(filetype), datarep, in_Info(info)));
}
#pragma weak MPI_File_set_view = PMPI_File_set_view
int PMPI_File_sync(MPI_File fh) {
  return out_error(abi.File_sync(in_File(fh)));
}
#pragma weak MPI_File_sync = PMPI_File_sync
int PMPI_File_write(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_write(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_write = PMPI_File_write
int PMPI_File_write_all(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_write_all(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_write_all = PMPI_File_write_all
int PMPI_File_write_all_begin(MPI_File fh, const void *buf, int count, MPI_Datatype datatype) {
  return out_error(abi.File_write_all_begin(in_File(fh), in_buffer(buf), count, in_Datatype(datatype)));
}
#pragma weak MPI_File_write_all_begin = PMPI_File_write_all_begin
#ifdef WEFT_FACE_MPICH
int PMPI_File_write_all_begin_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype) {
  return out_error(abi.File_write_all_begin_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype)));
}
#pragma weak MPI_File_write_all_begin_c = PMPI_File_write_all_begin_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_File_write_all_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_write_all_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_write_all_c = PMPI_File_write_all_c
#endif
int PMPI_File_write_all_end(MPI_File fh, const void *buf, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_write_all_end(in_File(fh), in_buffer(buf), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_write_all_end = PMPI_File_write_all_end
int PMPI_File_write_at(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_write_at(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_write_at = PMPI_File_write_at
int PMPI_File_write_at_all(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_write_at_all(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_write_at_all = PMPI_File_write_at_all
int PMPI_File_write_at_all_begin(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype) {
  return out_error(abi.File_write_at_all_begin(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype)));
}
#pragma weak MPI_File_write_at_all_begin = PMPI_File_write_at_all_begin
#ifdef WEFT_FACE_MPICH
int PMPI_File_write_at_all_begin_c(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype) {
  return out_error(abi.File_write_at_all_begin_c(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype)));
}
#pragma weak MPI_File_write_at_all_begin_c = PMPI_File_write_at_all_begin_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_File_write_at_all_c(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_write_at_all_c(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_write_at_all_c = PMPI_File_write_at_all_c
#endif
int PMPI_File_write_at_all_end(MPI_File fh, const void *buf, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_write_at_all_end(in_File(fh), in_buffer(buf), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_write_at_all_end = PMPI_File_write_at_all_end
#ifdef WEFT_FACE_MPICH
int PMPI_File_write_at_c(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_write_at_c(in_File(fh), offset, in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_write_at_c = PMPI_File_write_at_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_File_write_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_write_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_write_c = PMPI_File_write_c
#endif
int PMPI_File_write_ordered(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_write_ordered(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_write_ordered = PMPI_File_write_ordered
int PMPI_File_write_ordered_begin(MPI_File fh, const void *buf, int count, MPI_Datatype datatype) {
  return out_error(abi.File_write_ordered_begin(in_File(fh), in_buffer(buf), count, in_Datatype(datatype)));
}
#pragma weak MPI_File_write_ordered_begin = PMPI_File_write_ordered_begin
#ifdef WEFT_FACE_MPICH
int PMPI_File_write_ordered_begin_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype) {
  return out_error(abi.File_write_ordered_begin_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype)));
}
#pragma weak MPI_File_write_ordered_begin_c = PMPI_File_write_ordered_begin_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_File_write_ordered_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_write_ordered_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_write_ordered_c = PMPI_File_write_ordered_c
#endif
int PMPI_File_write_ordered_end(MPI_File fh, const void *buf, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_write_ordered_end(in_File(fh), in_buffer(buf), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_write_ordered_end = PMPI_File_write_ordered_end
int PMPI_File_write_shared(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_write_shared(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_write_shared = PMPI_File_write_shared
#ifdef WEFT_FACE_MPICH
int PMPI_File_write_shared_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.File_write_shared_c(in_File(fh), in_buffer(buf), count, in_Datatype(datatype), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_File_write_shared_c = PMPI_File_write_shared_c
#endif
int PMPI_Finalize(void) {
  return out_error(abi.Finalize());
}
#pragma weak MPI_Finalize = PMPI_Finalize
int PMPI_Finalized(int *flag) {
  return out_error(abi.Finalized(flag));
}
#pragma weak MPI_Finalized = PMPI_Finalized
int PMPI_Free_mem(void *base) {
  return out_error(abi.Free_mem(in_buffer(base)));
}
#pragma weak MPI_Free_mem = PMPI_Free_mem
int PMPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return out_error(abi.Gather(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm)));
}
#pragma weak MPI_Gather = PMPI_Gather
#ifdef WEFT_FACE_MPICH
int PMPI_Gather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return out_error(abi.Gather_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm)));
}
#pragma weak MPI_Gather_c = PMPI_Gather_c
#endif
int PMPI_Gather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Gather_init(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Gather_init = PMPI_Gather_init
#pragma weak MPIX_Gather_init = PMPI_Gather_init
#pragma weak PMPIX_Gather_init = PMPI_Gather_init
#ifdef WEFT_FACE_MPICH
int PMPI_Gather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Gather_init_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Gather_init_c = PMPI_Gather_init_c
#endif
int PMPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return out_error(abi.Gatherv(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_rank(root), in_Comm(comm)));
}
#pragma weak MPI_Gatherv = PMPI_Gatherv
#ifdef WEFT_FACE_MPICH
int PMPI_Gatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return out_error(abi.Gatherv_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_rank(root), in_Comm(comm)));
}
#pragma weak MPI_Gatherv_c = PMPI_Gatherv_c
#endif
int PMPI_Gatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Gatherv_init(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_rank(root), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Gatherv_init = PMPI_Gatherv_init
#pragma weak MPIX_Gatherv_init = PMPI_Gatherv_init
#pragma weak PMPIX_Gatherv_init = PMPI_Gatherv_init
#ifdef WEFT_FACE_MPICH
int PMPI_Gatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Gatherv_init_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_rank(root), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Gatherv_init_c = PMPI_Gatherv_init_c
#endif
int PMPI_Get(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win) {
  return out_error(abi.Get(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Win(win)));
}
#pragma weak MPI_Get = PMPI_Get
int PMPI_Get_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr, int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  return out_error(abi.Get_accumulate(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_buffer(result_addr), result_count, in_Datatype(result_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Op(op), in_Win(win)));
}
#pragma weak MPI_Get_accumulate = PMPI_Get_accumulate
#ifdef WEFT_FACE_MPICH
int PMPI_Get_accumulate_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, void *result_addr, MPI_Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  return out_error(abi.Get_accumulate_c(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_buffer(result_addr), result_count, in_Datatype(result_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Op(op), in_Win(win)));
}
#pragma weak MPI_Get_accumulate_c = PMPI_Get_accumulate_c
#endif
int PMPI_Get_address(const void *location, MPI_Aint *address) {
  return out_error(abi.Get_address(in_buffer(location), address));
}
#pragma weak MPI_Get_address = PMPI_Get_address
#ifdef WEFT_FACE_MPICH
int PMPI_Get_c(void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win) {
  return out_error(abi.Get_c(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Win(win)));
}
#pragma weak MPI_Get_c = PMPI_Get_c
#endif
int PMPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  return out_error(abi.Get_count(c_status, in_Datatype(datatype), count));
}
#pragma weak MPI_Get_count = PMPI_Get_count
#ifdef WEFT_FACE_MPICH
int PMPI_Get_count_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  return out_error(abi.Get_count_c(c_status, in_Datatype(datatype), count));
}
#pragma weak MPI_Get_count_c = PMPI_Get_count_c
#endif
int PMPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  return out_error(abi.Get_elements(c_status, in_Datatype(datatype), count));
}
#pragma weak MPI_Get_elements = PMPI_Get_elements
#ifdef WEFT_FACE_MPICH
int PMPI_Get_elements_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  return out_error(abi.Get_elements_c(c_status, in_Datatype(datatype), count));
}
#pragma weak MPI_Get_elements_c = PMPI_Get_elements_c
#endif
int PMPI_Get_elements_x(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  return out_error(abi.Get_elements_x(c_status, in_Datatype(datatype), count));
}
#pragma weak MPI_Get_elements_x = PMPI_Get_elements_x
int PMPI_Get_hw_resource_info(MPI_Info *hw_info) {
  abi_handle c_hw_info = 0;
  int code = abi.Get_hw_resource_info(hw_info ? &c_hw_info : 0);
  if (c_hw_info) *hw_info = out_Info(c_hw_info);
  return out_error(code);
}
#pragma weak MPI_Get_hw_resource_info = PMPI_Get_hw_resource_info
int PMPI_Get_library_version(char *version, int *resultlen) {
  char c_version[ABI_MAX_LIBRARY_VERSION_STRING] = "";
  int code = abi.Get_library_version(version ? c_version : 0, resultlen);
  if (code == 0) out_text(version, MPI_MAX_LIBRARY_VERSION_STRING, c_version, resultlen);
  return out_error(code);
}
#pragma weak MPI_Get_library_version = PMPI_Get_library_version
int PMPI_Get_processor_name(char *name, int *resultlen) {
  char c_name[ABI_MAX_PROCESSOR_NAME] = "";
  int code = abi.Get_processor_name(name ? c_name : 0, resultlen);
  if (code == 0) out_text(name, MPI_MAX_PROCESSOR_NAME, c_name, resultlen);
  return out_error(code);
}
#pragma weak MPI_Get_processor_name = PMPI_Get_processor_name
int PMPI_Graph_create(MPI_Comm comm_old, int nnodes, const int indx[], const int edges[], int reorder, MPI_Comm *comm_graph) {
  abi_handle c_comm_graph = 0;
  int code = abi.Graph_create(in_Comm(comm_old), nnodes, indx, edges, reorder, comm_graph ? &c_comm_graph : 0);
  if (c_comm_graph) *comm_graph = out_Comm(c_comm_graph);
  return out_error(code);
}
#pragma weak MPI_Graph_create = PMPI_Graph_create
int PMPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[]) {
  return out_error(abi.Graph_get(in_Comm(comm), maxindex, maxedges, indx, edges));
}
#pragma weak MPI_Graph_get = PMPI_Graph_get
int PMPI_Graph_map(MPI_Comm comm, int nnodes, const int indx[], const int edges[], int *newrank) {
  return out_error(abi.Graph_map(in_Comm(comm), nnodes, indx, edges, newrank));
}
#pragma weak MPI_Graph_map = PMPI_Graph_map
int PMPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int neighbors[]) {
  return out_error(abi.Graph_neighbors(in_Comm(comm), in_rank(rank), maxneighbors, neighbors));
}
#pragma weak MPI_Graph_neighbors = PMPI_Graph_neighbors
int PMPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors) {
  return out_error(abi.Graph_neighbors_count(in_Comm(comm), in_rank(rank), nneighbors));
}
#pragma weak MPI_Graph_neighbors_count = PMPI_Graph_neighbors_count
int PMPI_Graphdims_get(MPI_Comm comm, int *nnodes, int *nedges) {
  return out_error(abi.Graphdims_get(in_Comm(comm), nnodes, nedges));
}
#pragma weak MPI_Graphdims_get = PMPI_Graphdims_get
int PMPI_Grequest_complete(MPI_Request request) {
  return out_error(abi.Grequest_complete(in_Request(request)));
}
#pragma weak MPI_Grequest_complete = PMPI_Grequest_complete
int PMPI_Group_compare(MPI_Group group1, MPI_Group group2, int *result) {
  int code = abi.Group_compare(in_Group(group1), in_Group(group2), result);
  if (code == 0 && result) *result = out_comparison(*result);
  return out_error(code);
}
#pragma weak MPI_Group_compare = PMPI_Group_compare
int PMPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup) {
  abi_handle c_newgroup = 0;
  int code = abi.Group_difference(in_Group(group1), in_Group(group2), newgroup ? &c_newgroup : 0);
  if (c_newgroup) *newgroup = out_Group(c_newgroup);
  return out_error(code);
}
#pragma weak MPI_Group_difference = PMPI_Group_difference
int PMPI_Group_excl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup) {
  abi_handle c_newgroup = 0;
  int code = abi.Group_excl(in_Group(group), n, ranks, newgroup ? &c_newgroup : 0);
  if (c_newgroup) *newgroup = out_Group(c_newgroup);
  return out_error(code);
}
#pragma weak MPI_Group_excl = PMPI_Group_excl
int PMPI_Group_free(MPI_Group *group) {
  abi_handle c_group = group ? in_Group(*group) : 0;
  int code = abi.Group_free(group ? &c_group : 0);
  if (group) *group = out_Group(c_group);
  return out_error(code);
}
#pragma weak MPI_Group_free = PMPI_Group_free
int PMPI_Group_from_session_pset(MPI_Session session, const char *pset_name, MPI_Group *newgroup) {
  abi_handle c_newgroup = 0;
  int code = abi.Group_from_session_pset(in_Session(session), pset_name, newgroup ? &c_newgroup : 0);
  if (c_newgroup) *newgroup = out_Group(c_newgroup);
  return out_error(code);
}
#pragma weak MPI_Group_from_session_pset = PMPI_Group_from_session_pset
int PMPI_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup) {
  abi_handle c_newgroup = 0;
  int code = abi.Group_incl(in_Group(group), n, ranks, newgroup ? &c_newgroup : 0);
  if (c_newgroup) *newgroup = out_Group(c_newgroup);
  return out_error(code);
}
#pragma weak MPI_Group_incl = PMPI_Group_incl
int PMPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup) {
  abi_handle c_newgroup = 0;
  int code = abi.Group_intersection(in_Group(group1), in_Group(group2), newgroup ? &c_newgroup : 0);
  if (c_newgroup) *newgroup = out_Group(c_newgroup);
  return out_error(code);
}
#pragma weak MPI_Group_intersection = PMPI_Group_intersection
int PMPI_Group_range_excl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup) {
  abi_handle c_newgroup = 0;
  int code = abi.Group_range_excl(in_Group(group), n, ranges, newgroup ? &c_newgroup : 0);
  if (c_newgroup) *newgroup = out_Group(c_newgroup);
  return out_error(code);
}
#pragma weak MPI_Group_range_excl = PMPI_Group_range_excl
int PMPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup) {
  abi_handle c_newgroup = 0;
  int code = abi.Group_range_incl(in_Group(group), n, ranges, newgroup ? &c_newgroup : 0);
  if (c_newgroup) *newgroup = out_Group(c_newgroup);
  return out_error(code);
}
#pragma weak MPI_Group_range_incl = PMPI_Group_range_incl
int PMPI_Group_rank(MPI_Group group, int *rank) {
  int code = abi.Group_rank(in_Group(group), rank);
  if (code == 0 && rank) *rank = out_rank(*rank);
  return out_error(code);
}
#pragma weak MPI_Group_rank = PMPI_Group_rank
int PMPI_Group_size(MPI_Group group, int *size) {
  return out_error(abi.Group_size(in_Group(group), size));
}
#pragma weak MPI_Group_size = PMPI_Group_size
int PMPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]) {
  TAKE_INTS(rank, ranks1, n)
  int code = abi.Group_translate_ranks(in_Group(group1), n, c_ranks1, in_Group(group2), ranks2);
  DROP(ranks1)
  if (code == 0) for (int i = 0; i < n; i++) ranks2[i] = out_rank(ranks2[i]);
  return out_error(code);
}
#pragma weak MPI_Group_translate_ranks = PMPI_Group_translate_ranks
int PMPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup) {
  abi_handle c_newgroup = 0;
  int code = abi.Group_union(in_Group(group1), in_Group(group2), newgroup ? &c_newgroup : 0);
  if (c_newgroup) *newgroup = out_Group(c_newgroup);
  return out_error(code);
}
#pragma weak MPI_Group_union = PMPI_Group_union
int PMPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Iallgather(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Iallgather = PMPI_Iallgather
#ifdef WEFT_FACE_MPICH
int PMPI_Iallgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Iallgather_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Iallgather_c = PMPI_Iallgather_c
#endif
int PMPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Iallgatherv(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Iallgatherv = PMPI_Iallgatherv
#ifdef WEFT_FACE_MPICH
int PMPI_Iallgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Iallgatherv_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Iallgatherv_c = PMPI_Iallgatherv_c
#endif
int PMPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Iallreduce(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Iallreduce = PMPI_Iallreduce
#ifdef WEFT_FACE_MPICH
int PMPI_Iallreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Iallreduce_c(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Iallreduce_c = PMPI_Iallreduce_c
#endif
int PMPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ialltoall(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ialltoall = PMPI_Ialltoall
#ifdef WEFT_FACE_MPICH
int PMPI_Ialltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ialltoall_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ialltoall_c = PMPI_Ialltoall_c
#endif
int PMPI_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ialltoallv(in_buffer(sendbuf), sendcounts, sdispls, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, rdispls, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ialltoallv = PMPI_Ialltoallv
#ifdef WEFT_FACE_MPICH
int PMPI_Ialltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ialltoallv_c(in_buffer(sendbuf), sendcounts, sdispls, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, rdispls, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ialltoallv_c = PMPI_Ialltoallv_c
#endif
int PMPI_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request) {
  TAKE(Datatype, sendtypes, in_buffer((void *)sendbuf) == ABI_IN_PLACE ? 0 : peers(in_Comm(comm)))
  TAKE(Datatype, recvtypes, peers(in_Comm(comm)))
  abi_handle c_request = 0;
  int code = abi.Ialltoallw(in_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, in_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, in_Comm(comm), request ? &c_request : 0);
  DROP(sendtypes)
  DROP(recvtypes)
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ialltoallw = PMPI_Ialltoallw
#ifdef WEFT_FACE_MPICH
int PMPI_Ialltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request) {
  TAKE(Datatype, sendtypes, in_buffer((void *)sendbuf) == ABI_IN_PLACE ? 0 : peers(in_Comm(comm)))
  TAKE(Datatype, recvtypes, peers(in_Comm(comm)))
  abi_handle c_request = 0;
  int code = abi.Ialltoallw_c(in_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, in_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, in_Comm(comm), request ? &c_request : 0);
  DROP(sendtypes)
  DROP(recvtypes)
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ialltoallw_c = PMPI_Ialltoallw_c
#endif
int PMPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ibarrier(in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ibarrier = PMPI_Ibarrier
int PMPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ibcast(in_buffer(buffer), count, in_Datatype(datatype), in_rank(root), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ibcast = PMPI_Ibcast
#ifdef WEFT_FACE_MPICH
int PMPI_Ibcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ibcast_c(in_buffer(buffer), count, in_Datatype(datatype), in_rank(root), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ibcast_c = PMPI_Ibcast_c
#endif
int PMPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ibsend(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ibsend = PMPI_Ibsend
#ifdef WEFT_FACE_MPICH
int PMPI_Ibsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ibsend_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ibsend_c = PMPI_Ibsend_c
#endif
int PMPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Iexscan(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Iexscan = PMPI_Iexscan
#ifdef WEFT_FACE_MPICH
int PMPI_Iexscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Iexscan_c(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Iexscan_c = PMPI_Iexscan_c
#endif
int PMPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Igather(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Igather = PMPI_Igather
#ifdef WEFT_FACE_MPICH
int PMPI_Igather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Igather_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Igather_c = PMPI_Igather_c
#endif
int PMPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Igatherv(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_rank(root), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Igatherv = PMPI_Igatherv
#ifdef WEFT_FACE_MPICH
int PMPI_Igatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Igatherv_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_rank(root), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Igatherv_c = PMPI_Igatherv_c
#endif
int PMPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status) {
  abi_handle c_message = 0;
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Improbe(in_rank(source), in_tag(tag), in_Comm(comm), flag, message ? &c_message : 0, c_status);
  if (c_message) *message = out_Message(c_message);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Improbe = PMPI_Improbe
int PMPI_Imrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request) {
  abi_handle c_message = message ? in_Message(*message) : 0;
  abi_handle c_request = 0;
  int code = abi.Imrecv(in_buffer(buf), count, in_Datatype(datatype), message ? &c_message : 0, request ? &c_request : 0);
  if (message) *message = out_Message(c_message);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Imrecv = PMPI_Imrecv
#ifdef WEFT_FACE_MPICH
int PMPI_Imrecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request) {
  abi_handle c_message = message ? in_Message(*message) : 0;
  abi_handle c_request = 0;
  int code = abi.Imrecv_c(in_buffer(buf), count, in_Datatype(datatype), message ? &c_message : 0, request ? &c_request : 0);
  if (message) *message = out_Message(c_message);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Imrecv_c = PMPI_Imrecv_c
#endif
int PMPI_Ineighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ineighbor_allgather(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ineighbor_allgather = PMPI_Ineighbor_allgather
#ifdef WEFT_FACE_MPICH
int PMPI_Ineighbor_allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ineighbor_allgather_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ineighbor_allgather_c = PMPI_Ineighbor_allgather_c
#endif
int PMPI_Ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ineighbor_allgatherv(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ineighbor_allgatherv = PMPI_Ineighbor_allgatherv
#ifdef WEFT_FACE_MPICH
int PMPI_Ineighbor_allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ineighbor_allgatherv_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ineighbor_allgatherv_c = PMPI_Ineighbor_allgatherv_c
#endif
int PMPI_Ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ineighbor_alltoall(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ineighbor_alltoall = PMPI_Ineighbor_alltoall
#ifdef WEFT_FACE_MPICH
int PMPI_Ineighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ineighbor_alltoall_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ineighbor_alltoall_c = PMPI_Ineighbor_alltoall_c
#endif
int PMPI_Ineighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ineighbor_alltoallv(in_buffer(sendbuf), sendcounts, sdispls, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, rdispls, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ineighbor_alltoallv = PMPI_Ineighbor_alltoallv
#ifdef WEFT_FACE_MPICH
int PMPI_Ineighbor_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ineighbor_alltoallv_c(in_buffer(sendbuf), sendcounts, sdispls, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, rdispls, in_Datatype(recvtype), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ineighbor_alltoallv_c = PMPI_Ineighbor_alltoallv_c
#endif
int PMPI_Ineighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request) {
  TAKE(Datatype, sendtypes, degree(in_Comm(comm), 1))
  TAKE(Datatype, recvtypes, degree(in_Comm(comm), 0))
  abi_handle c_request = 0;
  int code = abi.Ineighbor_alltoallw(in_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, in_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, in_Comm(comm), request ? &c_request : 0);
  DROP(sendtypes)
  DROP(recvtypes)
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ineighbor_alltoallw = PMPI_Ineighbor_alltoallw
#ifdef WEFT_FACE_MPICH
int PMPI_Ineighbor_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request) {
  TAKE(Datatype, sendtypes, degree(in_Comm(comm), 1))
  TAKE(Datatype, recvtypes, degree(in_Comm(comm), 0))
  abi_handle c_request = 0;
  int code = abi.Ineighbor_alltoallw_c(in_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, in_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, in_Comm(comm), request ? &c_request : 0);
  DROP(sendtypes)
  DROP(recvtypes)
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ineighbor_alltoallw_c = PMPI_Ineighbor_alltoallw_c
#endif
int PMPI_Info_create(MPI_Info *info) {
  abi_handle c_info = 0;
  int code = abi.Info_create(info ? &c_info : 0);
  if (c_info) *info = out_Info(c_info);
  return out_error(code);
}
#pragma weak MPI_Info_create = PMPI_Info_create
int PMPI_Info_create_env(int argc, char *argv[], MPI_Info *info) {
  abi_handle c_info = 0;
  int code = abi.Info_create_env(argc, argv, info ? &c_info : 0);
  if (c_info) *info = out_Info(c_info);
  return out_error(code);
}
#pragma weak MPI_Info_create_env = PMPI_Info_create_env
int PMPI_Info_delete(MPI_Info info, const char *key) {
  return out_error(abi.Info_delete(in_Info(info), key));
}
#pragma weak MPI_Info_delete = PMPI_Info_delete
int PMPI_Info_dup(MPI_Info info, MPI_Info *newinfo) {
  abi_handle c_newinfo = 0;
  int code = abi.Info_dup(in_Info(info), newinfo ? &c_newinfo : 0);
  if (c_newinfo) *newinfo = out_Info(c_newinfo);
  return out_error(code);
}
#pragma weak MPI_Info_dup = PMPI_Info_dup
int PMPI_Info_free(MPI_Info *info) {
  abi_handle c_info = info ? in_Info(*info) : 0;
  int code = abi.Info_free(info ? &c_info : 0);
  if (info) *info = out_Info(c_info);
  return out_error(code);
}
#pragma weak MPI_Info_free = PMPI_Info_free
int PMPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag) {
  return out_error(abi.Info_get(in_Info(info), key, valuelen, value, flag));
}
#pragma weak MPI_Info_get = PMPI_Info_get
int PMPI_Info_get_nkeys(MPI_Info info, int *nkeys) {
  return out_error(abi.Info_get_nkeys(in_Info(info), nkeys));
}
#pragma weak MPI_Info_get_nkeys = PMPI_Info_get_nkeys
int PMPI_Info_get_nthkey(MPI_Info info, int n, char *key) {
  char c_key[ABI_MAX_INFO_KEY] = "";
  int code = abi.Info_get_nthkey(in_Info(info), n, key ? c_key : 0);
  if (code == 0) out_text(key, MPI_MAX_INFO_KEY, c_key, 0);
  return out_error(code);
}
#pragma weak MPI_Info_get_nthkey = PMPI_Info_get_nthkey
int PMPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag) {
  return out_error(abi.Info_get_string(in_Info(info), key, buflen, value, flag));
}
#pragma weak MPI_Info_get_string = PMPI_Info_get_string
int PMPI_Info_get_valuelen(MPI_Info info, const char *key, int *valuelen, int *flag) {
  return out_error(abi.Info_get_valuelen(in_Info(info), key, valuelen, flag));
}
#pragma weak MPI_Info_get_valuelen = PMPI_Info_get_valuelen
int PMPI_Info_set(MPI_Info info, const char *key, const char *value) {
  return out_error(abi.Info_set(in_Info(info), key, value));
}
#pragma weak MPI_Info_set = PMPI_Info_set
int PMPI_Init(int *argc, char ***argv) {
  return out_error(abi.Init(argc, argv));
}
#pragma weak MPI_Init = PMPI_Init
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  int code = abi.Init_thread(argc, argv, in_thread(required), provided);
  if (code == 0 && provided) *provided = out_thread(*provided);
  return out_error(code);
}
#pragma weak MPI_Init_thread = PMPI_Init_thread
int PMPI_Initialized(int *flag) {
  return out_error(abi.Initialized(flag));
}
#pragma weak MPI_Initialized = PMPI_Initialized
int PMPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag, MPI_Comm *newintercomm) {
  abi_handle c_newintercomm = 0;
  int code = abi.Intercomm_create(in_Comm(local_comm), local_leader, in_Comm(peer_comm), remote_leader, in_tag(tag), newintercomm ? &c_newintercomm : 0);
  if (c_newintercomm) *newintercomm = out_Comm(c_newintercomm);
  return out_error(code);
}
#pragma weak MPI_Intercomm_create = PMPI_Intercomm_create
int PMPI_Intercomm_create_from_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newintercomm) {
  abi_handle c_newintercomm = 0;
  int code = abi.Intercomm_create_from_groups(in_Group(local_group), local_leader, in_Group(remote_group), remote_leader, stringtag, in_Info(info), in_Errhandler(errhandler), newintercomm ? &c_newintercomm : 0);
  if (c_newintercomm) *newintercomm = out_Comm(c_newintercomm);
  return out_error(code);
}
#pragma weak MPI_Intercomm_create_from_groups = PMPI_Intercomm_create_from_groups
int PMPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm *newintracomm) {
  abi_handle c_newintracomm = 0;
  int code = abi.Intercomm_merge(in_Comm(intercomm), high, newintracomm ? &c_newintracomm : 0);
  if (c_newintracomm) *newintracomm = out_Comm(c_newintracomm);
  return out_error(code);
}
#pragma weak MPI_Intercomm_merge = PMPI_Intercomm_merge
int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Iprobe(in_rank(source), in_tag(tag), in_Comm(comm), flag, c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Iprobe = PMPI_Iprobe
int PMPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Irecv(in_buffer(buf), count, in_Datatype(datatype), in_rank(source), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Irecv = PMPI_Irecv
#ifdef WEFT_FACE_MPICH
int PMPI_Irecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Irecv_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(source), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Irecv_c = PMPI_Irecv_c
#endif
int PMPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ireduce(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_rank(root), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ireduce = PMPI_Ireduce
#ifdef WEFT_FACE_MPICH
int PMPI_Ireduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ireduce_c(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_rank(root), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ireduce_c = PMPI_Ireduce_c
#endif
int PMPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ireduce_scatter(in_buffer(sendbuf), in_buffer(recvbuf), recvcounts, in_Datatype(datatype), in_Op(op), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ireduce_scatter = PMPI_Ireduce_scatter
int PMPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ireduce_scatter_block(in_buffer(sendbuf), in_buffer(recvbuf), recvcount, in_Datatype(datatype), in_Op(op), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ireduce_scatter_block = PMPI_Ireduce_scatter_block
#ifdef WEFT_FACE_MPICH
int PMPI_Ireduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ireduce_scatter_block_c(in_buffer(sendbuf), in_buffer(recvbuf), recvcount, in_Datatype(datatype), in_Op(op), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ireduce_scatter_block_c = PMPI_Ireduce_scatter_block_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_Ireduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ireduce_scatter_c(in_buffer(sendbuf), in_buffer(recvbuf), recvcounts, in_Datatype(datatype), in_Op(op), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ireduce_scatter_c = PMPI_Ireduce_scatter_c
#endif
int PMPI_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Irsend(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Irsend = PMPI_Irsend
#ifdef WEFT_FACE_MPICH
int PMPI_Irsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Irsend_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Irsend_c = PMPI_Irsend_c
#endif
int PMPI_Is_thread_main(int *flag) {
  return out_error(abi.Is_thread_main(flag));
}
#pragma weak MPI_Is_thread_main = PMPI_Is_thread_main
int PMPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Iscan(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Iscan = PMPI_Iscan
#ifdef WEFT_FACE_MPICH
int PMPI_Iscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Iscan_c(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Iscan_c = PMPI_Iscan_c
#endif
int PMPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Iscatter(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Iscatter = PMPI_Iscatter
#ifdef WEFT_FACE_MPICH
int PMPI_Iscatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Iscatter_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Iscatter_c = PMPI_Iscatter_c
#endif
int PMPI_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Iscatterv(in_buffer(sendbuf), sendcounts, displs, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Iscatterv = PMPI_Iscatterv
#ifdef WEFT_FACE_MPICH
int PMPI_Iscatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Iscatterv_c(in_buffer(sendbuf), sendcounts, displs, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Iscatterv_c = PMPI_Iscatterv_c
#endif
int PMPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Isend(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Isend = PMPI_Isend
#ifdef WEFT_FACE_MPICH
int PMPI_Isend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Isend_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Isend_c = PMPI_Isend_c
#endif
int PMPI_Isendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Isendrecv(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_rank(dest), in_tag(sendtag), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(source), in_tag(recvtag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Isendrecv = PMPI_Isendrecv
#ifdef WEFT_FACE_MPICH
int PMPI_Isendrecv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Isendrecv_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_rank(dest), in_tag(sendtag), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(source), in_tag(recvtag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Isendrecv_c = PMPI_Isendrecv_c
#endif
int PMPI_Isendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Isendrecv_replace(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(sendtag), in_rank(source), in_tag(recvtag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Isendrecv_replace = PMPI_Isendrecv_replace
#ifdef WEFT_FACE_MPICH
int PMPI_Isendrecv_replace_c(void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Isendrecv_replace_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(sendtag), in_rank(source), in_tag(recvtag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Isendrecv_replace_c = PMPI_Isendrecv_replace_c
#endif
int PMPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Issend(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Issend = PMPI_Issend
#ifdef WEFT_FACE_MPICH
int PMPI_Issend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Issend_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Issend_c = PMPI_Issend_c
#endif
int PMPI_Keyval_free(int *keyval) {
  int c_keyval = keyval ? in_keyval(*keyval) : 0;
  int code = abi.Keyval_free(keyval ? &c_keyval : 0);
  if (keyval) *keyval = out_keyval(c_keyval);
  return out_error(code);
}
#pragma weak MPI_Keyval_free = PMPI_Keyval_free
int PMPI_Lookup_name(const char *service_name, MPI_Info info, char *port_name) {
  char c_port_name[ABI_MAX_PORT_NAME] = "";
  int code = abi.Lookup_name(service_name, in_Info(info), port_name ? c_port_name : 0);
  if (code == 0) out_text(port_name, MPI_MAX_PORT_NAME, c_port_name, 0);
  return out_error(code);
}
#pragma weak MPI_Lookup_name = PMPI_Lookup_name
int PMPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
  abi_handle c_message = 0;
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Mprobe(in_rank(source), in_tag(tag), in_Comm(comm), message ? &c_message : 0, c_status);
  if (c_message) *message = out_Message(c_message);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Mprobe = PMPI_Mprobe
int PMPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status) {
  abi_handle c_message = message ? in_Message(*message) : 0;
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Mrecv(in_buffer(buf), count, in_Datatype(datatype), message ? &c_message : 0, c_status);
  if (message) *message = out_Message(c_message);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Mrecv = PMPI_Mrecv
#ifdef WEFT_FACE_MPICH
int PMPI_Mrecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status) {
  abi_handle c_message = message ? in_Message(*message) : 0;
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Mrecv_c(in_buffer(buf), count, in_Datatype(datatype), message ? &c_message : 0, c_status);
  if (message) *message = out_Message(c_message);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Mrecv_c = PMPI_Mrecv_c
#endif
int PMPI_Neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Neighbor_allgather(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Neighbor_allgather = PMPI_Neighbor_allgather
#ifdef WEFT_FACE_MPICH
int PMPI_Neighbor_allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Neighbor_allgather_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Neighbor_allgather_c = PMPI_Neighbor_allgather_c
#endif
int PMPI_Neighbor_allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Neighbor_allgather_init(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Neighbor_allgather_init = PMPI_Neighbor_allgather_init
#pragma weak MPIX_Neighbor_allgather_init = PMPI_Neighbor_allgather_init
#pragma weak PMPIX_Neighbor_allgather_init = PMPI_Neighbor_allgather_init
#ifdef WEFT_FACE_MPICH
int PMPI_Neighbor_allgather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Neighbor_allgather_init_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Neighbor_allgather_init_c = PMPI_Neighbor_allgather_init_c
#endif
int PMPI_Neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Neighbor_allgatherv(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Neighbor_allgatherv = PMPI_Neighbor_allgatherv
#ifdef WEFT_FACE_MPICH
int PMPI_Neighbor_allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Neighbor_allgatherv_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Neighbor_allgatherv_c = PMPI_Neighbor_allgatherv_c
#endif
int PMPI_Neighbor_allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Neighbor_allgatherv_init(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Neighbor_allgatherv_init = PMPI_Neighbor_allgatherv_init
#pragma weak MPIX_Neighbor_allgatherv_init = PMPI_Neighbor_allgatherv_init
#pragma weak PMPIX_Neighbor_allgatherv_init = PMPI_Neighbor_allgatherv_init
#ifdef WEFT_FACE_MPICH
int PMPI_Neighbor_allgatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Neighbor_allgatherv_init_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, displs, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Neighbor_allgatherv_init_c = PMPI_Neighbor_allgatherv_init_c
#endif
int PMPI_Neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Neighbor_alltoall(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Neighbor_alltoall = PMPI_Neighbor_alltoall
#ifdef WEFT_FACE_MPICH
int PMPI_Neighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Neighbor_alltoall_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Neighbor_alltoall_c = PMPI_Neighbor_alltoall_c
#endif
int PMPI_Neighbor_alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Neighbor_alltoall_init(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Neighbor_alltoall_init = PMPI_Neighbor_alltoall_init
#pragma weak MPIX_Neighbor_alltoall_init = PMPI_Neighbor_alltoall_init
#pragma weak PMPIX_Neighbor_alltoall_init = PMPI_Neighbor_alltoall_init
#ifdef WEFT_FACE_MPICH
int PMPI_Neighbor_alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Neighbor_alltoall_init_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Neighbor_alltoall_init_c = PMPI_Neighbor_alltoall_init_c
#endif
int PMPI_Neighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Neighbor_alltoallv(in_buffer(sendbuf), sendcounts, sdispls, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, rdispls, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Neighbor_alltoallv = PMPI_Neighbor_alltoallv
#ifdef WEFT_FACE_MPICH
int PMPI_Neighbor_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  return out_error(abi.Neighbor_alltoallv_c(in_buffer(sendbuf), sendcounts, sdispls, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, rdispls, in_Datatype(recvtype), in_Comm(comm)));
}
#pragma weak MPI_Neighbor_alltoallv_c = PMPI_Neighbor_alltoallv_c
#endif
int PMPI_Neighbor_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Neighbor_alltoallv_init(in_buffer(sendbuf), sendcounts, sdispls, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, rdispls, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Neighbor_alltoallv_init = PMPI_Neighbor_alltoallv_init
#pragma weak MPIX_Neighbor_alltoallv_init = PMPI_Neighbor_alltoallv_init
#pragma weak PMPIX_Neighbor_alltoallv_init = PMPI_Neighbor_alltoallv_init
#ifdef WEFT_FACE_MPICH
int PMPI_Neighbor_alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Neighbor_alltoallv_init_c(in_buffer(sendbuf), sendcounts, sdispls, in_Datatype(sendtype), in_buffer(recvbuf), recvcounts, rdispls, in_Datatype(recvtype), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Neighbor_alltoallv_init_c = PMPI_Neighbor_alltoallv_init_c
#endif
int PMPI_Neighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  TAKE(Datatype, sendtypes, degree(in_Comm(comm), 1))
  TAKE(Datatype, recvtypes, degree(in_Comm(comm), 0))
  int code = abi.Neighbor_alltoallw(in_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, in_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, in_Comm(comm));
  DROP(sendtypes)
  DROP(recvtypes)
  return out_error(code);
}
#pragma weak MPI_Neighbor_alltoallw = PMPI_Neighbor_alltoallw
#ifdef WEFT_FACE_MPICH
int PMPI_Neighbor_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  TAKE(Datatype, sendtypes, degree(in_Comm(comm), 1))
  TAKE(Datatype, recvtypes, degree(in_Comm(comm), 0))
  int code = abi.Neighbor_alltoallw_c(in_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, in_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, in_Comm(comm));
  DROP(sendtypes)
  DROP(recvtypes)
  return out_error(code);
}
#pragma weak MPI_Neighbor_alltoallw_c = PMPI_Neighbor_alltoallw_c
#endif
int PMPI_Neighbor_alltoallw_init(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  TAKE(Datatype, sendtypes, degree(in_Comm(comm), 1))
  TAKE(Datatype, recvtypes, degree(in_Comm(comm), 0))
  abi_handle c_request = 0;
  int code = abi.Neighbor_alltoallw_init(in_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, in_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, in_Comm(comm), in_Info(info), request ? &c_request : 0);
  DROP(sendtypes)
  DROP(recvtypes)
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Neighbor_alltoallw_init = PMPI_Neighbor_alltoallw_init
#pragma weak MPIX_Neighbor_alltoallw_init = PMPI_Neighbor_alltoallw_init
#pragma weak PMPIX_Neighbor_alltoallw_init = PMPI_Neighbor_alltoallw_init
#ifdef WEFT_FACE_MPICH
int PMPI_Neighbor_alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  TAKE(Datatype, sendtypes, degree(in_Comm(comm), 1))
  TAKE(Datatype, recvtypes, degree(in_Comm(comm), 0))
  abi_handle c_request = 0;
  int code = abi.Neighbor_alltoallw_init_c(in_buffer(sendbuf), sendcounts, sdispls, c_sendtypes, in_buffer(recvbuf), recvcounts, rdispls, c_recvtypes, in_Comm(comm), in_Info(info), request ? &c_request : 0);
  DROP(sendtypes)
  DROP(recvtypes)
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Neighbor_alltoallw_init_c = PMPI_Neighbor_alltoallw_init_c
#endif
int PMPI_Op_commutative(MPI_Op op, int *commute) {
  return out_error(abi.Op_commutative(in_Op(op), commute));
}
#pragma weak MPI_Op_commutative = PMPI_Op_commutative
#ifdef WEFT_FACE_MPICH
#endif
int PMPI_Op_free(MPI_Op *op) {
  abi_handle c_op = op ? in_Op(*op) : 0;
  int code = abi.Op_free(op ? &c_op : 0);
  if (op) *op = out_Op(c_op);
  return out_error(code);
}
#pragma weak MPI_Op_free = PMPI_Op_free
int PMPI_Open_port(MPI_Info info, char *port_name) {
  char c_port_name[ABI_MAX_PORT_NAME] = "";
  int code = abi.Open_port(in_Info(info), port_name ? c_port_name : 0);
  if (code == 0) out_text(port_name, MPI_MAX_PORT_NAME, c_port_name, 0);
  return out_error(code);
}
#pragma weak MPI_Open_port = PMPI_Open_port
int PMPI_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize, int *position, MPI_Comm comm) {
  return out_error(abi.Pack(in_buffer(inbuf), incount, in_Datatype(datatype), in_buffer(outbuf), outsize, position, in_Comm(comm)));
}
#pragma weak MPI_Pack = PMPI_Pack
#ifdef WEFT_FACE_MPICH
int PMPI_Pack_c(const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf, MPI_Count outsize, MPI_Count *position, MPI_Comm comm) {
  return out_error(abi.Pack_c(in_buffer(inbuf), incount, in_Datatype(datatype), in_buffer(outbuf), outsize, position, in_Comm(comm)));
}
#pragma weak MPI_Pack_c = PMPI_Pack_c
#endif
int PMPI_Pack_external(const char *datarep, const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, MPI_Aint outsize, MPI_Aint *position) {
  return out_error(abi.Pack_external(datarep, in_buffer(inbuf), incount, in_Datatype(datatype), in_buffer(outbuf), outsize, position));
}
#pragma weak MPI_Pack_external = PMPI_Pack_external
#ifdef WEFT_FACE_MPICH
int PMPI_Pack_external_c(const char *datarep, const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf, MPI_Count outsize, MPI_Count *position) {
  return out_error(abi.Pack_external_c(datarep, in_buffer(inbuf), incount, in_Datatype(datatype), in_buffer(outbuf), outsize, position));
}
#pragma weak MPI_Pack_external_c = PMPI_Pack_external_c
#endif
int PMPI_Pack_external_size(const char *datarep, int incount, MPI_Datatype datatype, MPI_Aint *size) {
  return out_error(abi.Pack_external_size(datarep, incount, in_Datatype(datatype), size));
}
#pragma weak MPI_Pack_external_size = PMPI_Pack_external_size
#ifdef WEFT_FACE_MPICH
int PMPI_Pack_external_size_c(const char *datarep, MPI_Count incount, MPI_Datatype datatype, MPI_Count *size) {
  return out_error(abi.Pack_external_size_c(datarep, incount, in_Datatype(datatype), size));
}
#pragma weak MPI_Pack_external_size_c = PMPI_Pack_external_size_c
#endif
int PMPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int *size) {
  return out_error(abi.Pack_size(incount, in_Datatype(datatype), in_Comm(comm), size));
}
#pragma weak MPI_Pack_size = PMPI_Pack_size
#ifdef WEFT_FACE_MPICH
int PMPI_Pack_size_c(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count *size) {
  return out_error(abi.Pack_size_c(incount, in_Datatype(datatype), in_Comm(comm), size));
}
#pragma weak MPI_Pack_size_c = PMPI_Pack_size_c
#endif
int PMPI_Parrived(MPI_Request request, int partition, int *flag) {
  return out_error(abi.Parrived(in_Request(request), partition, flag));
}
#pragma weak MPI_Parrived = PMPI_Parrived
int PMPI_Pready(int partition, MPI_Request request) {
  return out_error(abi.Pready(partition, in_Request(request)));
}
#pragma weak MPI_Pready = PMPI_Pready
int PMPI_Pready_list(int length, const int array_of_partitions[], MPI_Request request) {
  return out_error(abi.Pready_list(length, array_of_partitions, in_Request(request)));
}
#pragma weak MPI_Pready_list = PMPI_Pready_list
int PMPI_Pready_range(int partition_low, int partition_high, MPI_Request request) {
  return out_error(abi.Pready_range(partition_low, partition_high, in_Request(request)));
}
#pragma weak MPI_Pready_range = PMPI_Pready_range
int PMPI_Precv_init(void *buf, int partitions, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Precv_init(in_buffer(buf), partitions, count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Precv_init = PMPI_Precv_init
#ifdef WEFT_FACE_MPICH
int PMPI_Precv_init_c(void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Precv_init_c(in_buffer(buf), partitions, count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Precv_init_c = PMPI_Precv_init_c
#endif
int PMPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Probe(in_rank(source), in_tag(tag), in_Comm(comm), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Probe = PMPI_Probe
int PMPI_Psend_init(const void *buf, int partitions, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Psend_init(in_buffer(buf), partitions, count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Psend_init = PMPI_Psend_init
#ifdef WEFT_FACE_MPICH
int PMPI_Psend_init_c(const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Psend_init_c(in_buffer(buf), partitions, count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Psend_init_c = PMPI_Psend_init_c
#endif
int PMPI_Publish_name(const char *service_name, MPI_Info info, const char *port_name) {
  return out_error(abi.Publish_name(service_name, in_Info(info), port_name));
}
#pragma weak MPI_Publish_name = PMPI_Publish_name
int PMPI_Put(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win) {
  return out_error(abi.Put(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Win(win)));
}
#pragma weak MPI_Put = PMPI_Put
#ifdef WEFT_FACE_MPICH
int PMPI_Put_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win) {
  return out_error(abi.Put_c(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Win(win)));
}
#pragma weak MPI_Put_c = PMPI_Put_c
#endif
int PMPI_Query_thread(int *provided) {
  int code = abi.Query_thread(provided);
  if (code == 0 && provided) *provided = out_thread(*provided);
  return out_error(code);
}
#pragma weak MPI_Query_thread = PMPI_Query_thread
int PMPI_Raccumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Raccumulate(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Op(op), in_Win(win), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Raccumulate = PMPI_Raccumulate
#ifdef WEFT_FACE_MPICH
int PMPI_Raccumulate_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Raccumulate_c(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Op(op), in_Win(win), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Raccumulate_c = PMPI_Raccumulate_c
#endif
int PMPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Recv(in_buffer(buf), count, in_Datatype(datatype), in_rank(source), in_tag(tag), in_Comm(comm), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Recv = PMPI_Recv
#ifdef WEFT_FACE_MPICH
int PMPI_Recv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Recv_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(source), in_tag(tag), in_Comm(comm), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Recv_c = PMPI_Recv_c
#endif
int PMPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Recv_init(in_buffer(buf), count, in_Datatype(datatype), in_rank(source), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Recv_init = PMPI_Recv_init
#ifdef WEFT_FACE_MPICH
int PMPI_Recv_init_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Recv_init_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(source), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Recv_init_c = PMPI_Recv_init_c
#endif
int PMPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
  return out_error(abi.Reduce(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_rank(root), in_Comm(comm)));
}
#pragma weak MPI_Reduce = PMPI_Reduce
#ifdef WEFT_FACE_MPICH
int PMPI_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
  return out_error(abi.Reduce_c(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_rank(root), in_Comm(comm)));
}
#pragma weak MPI_Reduce_c = PMPI_Reduce_c
#endif
int PMPI_Reduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Reduce_init(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_rank(root), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Reduce_init = PMPI_Reduce_init
#pragma weak MPIX_Reduce_init = PMPI_Reduce_init
#pragma weak PMPIX_Reduce_init = PMPI_Reduce_init
#ifdef WEFT_FACE_MPICH
int PMPI_Reduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Reduce_init_c(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_rank(root), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Reduce_init_c = PMPI_Reduce_init_c
#endif
int PMPI_Reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op) {
  return out_error(abi.Reduce_local(in_buffer(inbuf), in_buffer(inoutbuf), count, in_Datatype(datatype), in_Op(op)));
}
#pragma weak MPI_Reduce_local = PMPI_Reduce_local
#ifdef WEFT_FACE_MPICH
int PMPI_Reduce_local_c(const void *inbuf, void *inoutbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op) {
  return out_error(abi.Reduce_local_c(in_buffer(inbuf), in_buffer(inoutbuf), count, in_Datatype(datatype), in_Op(op)));
}
#pragma weak MPI_Reduce_local_c = PMPI_Reduce_local_c
#endif
int PMPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return out_error(abi.Reduce_scatter(in_buffer(sendbuf), in_buffer(recvbuf), recvcounts, in_Datatype(datatype), in_Op(op), in_Comm(comm)));
}
#pragma weak MPI_Reduce_scatter = PMPI_Reduce_scatter
int PMPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return out_error(abi.Reduce_scatter_block(in_buffer(sendbuf), in_buffer(recvbuf), recvcount, in_Datatype(datatype), in_Op(op), in_Comm(comm)));
}
#pragma weak MPI_Reduce_scatter_block = PMPI_Reduce_scatter_block
#ifdef WEFT_FACE_MPICH
int PMPI_Reduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return out_error(abi.Reduce_scatter_block_c(in_buffer(sendbuf), in_buffer(recvbuf), recvcount, in_Datatype(datatype), in_Op(op), in_Comm(comm)));
}
#pragma weak MPI_Reduce_scatter_block_c = PMPI_Reduce_scatter_block_c
#endif
int PMPI_Reduce_scatter_block_init(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Reduce_scatter_block_init(in_buffer(sendbuf), in_buffer(recvbuf), recvcount, in_Datatype(datatype), in_Op(op), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Reduce_scatter_block_init = PMPI_Reduce_scatter_block_init
#pragma weak MPIX_Reduce_scatter_block_init = PMPI_Reduce_scatter_block_init
#pragma weak PMPIX_Reduce_scatter_block_init = PMPI_Reduce_scatter_block_init
#ifdef WEFT_FACE_MPICH
int PMPI_Reduce_scatter_block_init_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Reduce_scatter_block_init_c(in_buffer(sendbuf), in_buffer(recvbuf), recvcount, in_Datatype(datatype), in_Op(op), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Reduce_scatter_block_init_c = PMPI_Reduce_scatter_block_init_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_Reduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return out_error(abi.Reduce_scatter_c(in_buffer(sendbuf), in_buffer(recvbuf), recvcounts, in_Datatype(datatype), in_Op(op), in_Comm(comm)));
}
#pragma weak MPI_Reduce_scatter_c = PMPI_Reduce_scatter_c
#endif
int PMPI_Reduce_scatter_init(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Reduce_scatter_init(in_buffer(sendbuf), in_buffer(recvbuf), recvcounts, in_Datatype(datatype), in_Op(op), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Reduce_scatter_init = PMPI_Reduce_scatter_init
#pragma weak MPIX_Reduce_scatter_init = PMPI_Reduce_scatter_init
#pragma weak PMPIX_Reduce_scatter_init = PMPI_Reduce_scatter_init
#ifdef WEFT_FACE_MPICH
int PMPI_Reduce_scatter_init_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Reduce_scatter_init_c(in_buffer(sendbuf), in_buffer(recvbuf), recvcounts, in_Datatype(datatype), in_Op(op), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Reduce_scatter_init_c = PMPI_Reduce_scatter_init_c
#endif
int PMPI_Register_datarep(const char *datarep, MPI_Datarep_conversion_function *read_conversion_fn, MPI_Datarep_conversion_function *write_conversion_fn, MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state) {
  return out_error(abi.Register_datarep(datarep, (void *)read_conversion_fn, (void *)write_conversion_fn, (void *)dtype_file_extent_fn, in_buffer(extra_state)));
}
#pragma weak MPI_Register_datarep = PMPI_Register_datarep
#ifdef WEFT_FACE_MPICH
int PMPI_Register_datarep_c(const char *datarep, MPI_Datarep_conversion_function_c *read_conversion_fn, MPI_Datarep_conversion_function_c *write_conversion_fn, MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state) {
  return out_error(abi.Register_datarep_c(datarep, (void *)read_conversion_fn, (void *)write_conversion_fn, (void *)dtype_file_extent_fn, in_buffer(extra_state)));
}
#pragma weak MPI_Register_datarep_c = PMPI_Register_datarep_c
#endif
int PMPI_Remove_error_class(int errorclass) {
  return out_error(abi.Remove_error_class(in_error(errorclass)));
}
#pragma weak MPI_Remove_error_class = PMPI_Remove_error_class
int PMPI_Remove_error_code(int errorcode) {
  return out_error(abi.Remove_error_code(in_error(errorcode)));
}
#pragma weak MPI_Remove_error_code = PMPI_Remove_error_code
int PMPI_Remove_error_string(int errorcode) {
  return out_error(abi.Remove_error_string(in_error(errorcode)));
}
#pragma weak MPI_Remove_error_string = PMPI_Remove_error_string
int PMPI_Request_free(MPI_Request *request) {
  abi_handle c_request = request ? in_Request(*request) : 0;
  int code = abi.Request_free(request ? &c_request : 0);
  if (request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Request_free = PMPI_Request_free
int PMPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Request_get_status(in_Request(request), flag, c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Request_get_status = PMPI_Request_get_status
int PMPI_Request_get_status_all(int count, const MPI_Request array_of_requests[], int *flag, MPI_Status *array_of_statuses) {
  TAKE(Request, array_of_requests, count)
  TAKE_STATUSES(array_of_statuses, count)
  int code = abi.Request_get_status_all(count, c_array_of_requests, flag, c_array_of_statuses);
  DROP(array_of_requests)
  GIVE_STATUSES(array_of_statuses)
  DROP(array_of_statuses)
  return out_error(code);
}
#pragma weak MPI_Request_get_status_all = PMPI_Request_get_status_all
int PMPI_Request_get_status_any(int count, const MPI_Request array_of_requests[], int *indx, int *flag, MPI_Status *status) {
  TAKE(Request, array_of_requests, count)
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Request_get_status_any(count, c_array_of_requests, indx, flag, c_status);
  DROP(array_of_requests)
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Request_get_status_any = PMPI_Request_get_status_any
int PMPI_Request_get_status_some(int incount, const MPI_Request array_of_requests[], int *outcount, int array_of_indices[], MPI_Status *array_of_statuses) {
  TAKE(Request, array_of_requests, incount)
  TAKE_STATUSES(array_of_statuses, incount)
  int code = abi.Request_get_status_some(incount, c_array_of_requests, outcount, array_of_indices, c_array_of_statuses);
  DROP(array_of_requests)
  GIVE_STATUSES(array_of_statuses)
  DROP(array_of_statuses)
  return out_error(code);
}
#pragma weak MPI_Request_get_status_some = PMPI_Request_get_status_some
int PMPI_Rget(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Rget(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Win(win), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Rget = PMPI_Rget
int PMPI_Rget_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr, int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Rget_accumulate(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_buffer(result_addr), result_count, in_Datatype(result_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Op(op), in_Win(win), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Rget_accumulate = PMPI_Rget_accumulate
#ifdef WEFT_FACE_MPICH
int PMPI_Rget_accumulate_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, void *result_addr, MPI_Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Rget_accumulate_c(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_buffer(result_addr), result_count, in_Datatype(result_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Op(op), in_Win(win), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Rget_accumulate_c = PMPI_Rget_accumulate_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_Rget_c(void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Rget_c(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Win(win), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Rget_c = PMPI_Rget_c
#endif
int PMPI_Rput(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Rput(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Win(win), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Rput = PMPI_Rput
#ifdef WEFT_FACE_MPICH
int PMPI_Rput_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Rput_c(in_buffer(origin_addr), origin_count, in_Datatype(origin_datatype), in_rank(target_rank), target_disp, target_count, in_Datatype(target_datatype), in_Win(win), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Rput_c = PMPI_Rput_c
#endif
int PMPI_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return out_error(abi.Rsend(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm)));
}
#pragma weak MPI_Rsend = PMPI_Rsend
#ifdef WEFT_FACE_MPICH
int PMPI_Rsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return out_error(abi.Rsend_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm)));
}
#pragma weak MPI_Rsend_c = PMPI_Rsend_c
#endif
int PMPI_Rsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Rsend_init(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Rsend_init = PMPI_Rsend_init
#ifdef WEFT_FACE_MPICH
int PMPI_Rsend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Rsend_init_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Rsend_init_c = PMPI_Rsend_init_c
#endif
int PMPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return out_error(abi.Scan(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm)));
}
#pragma weak MPI_Scan = PMPI_Scan
#ifdef WEFT_FACE_MPICH
int PMPI_Scan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return out_error(abi.Scan_c(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm)));
}
#pragma weak MPI_Scan_c = PMPI_Scan_c
#endif
int PMPI_Scan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Scan_init(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Scan_init = PMPI_Scan_init
#pragma weak MPIX_Scan_init = PMPI_Scan_init
#pragma weak PMPIX_Scan_init = PMPI_Scan_init
#ifdef WEFT_FACE_MPICH
int PMPI_Scan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Scan_init_c(in_buffer(sendbuf), in_buffer(recvbuf), count, in_Datatype(datatype), in_Op(op), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Scan_init_c = PMPI_Scan_init_c
#endif
int PMPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return out_error(abi.Scatter(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm)));
}
#pragma weak MPI_Scatter = PMPI_Scatter
#ifdef WEFT_FACE_MPICH
int PMPI_Scatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return out_error(abi.Scatter_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm)));
}
#pragma weak MPI_Scatter_c = PMPI_Scatter_c
#endif
int PMPI_Scatter_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Scatter_init(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Scatter_init = PMPI_Scatter_init
#pragma weak MPIX_Scatter_init = PMPI_Scatter_init
#pragma weak PMPIX_Scatter_init = PMPI_Scatter_init
#ifdef WEFT_FACE_MPICH
int PMPI_Scatter_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Scatter_init_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Scatter_init_c = PMPI_Scatter_init_c
#endif
int PMPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return out_error(abi.Scatterv(in_buffer(sendbuf), sendcounts, displs, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm)));
}
#pragma weak MPI_Scatterv = PMPI_Scatterv
#ifdef WEFT_FACE_MPICH
int PMPI_Scatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  return out_error(abi.Scatterv_c(in_buffer(sendbuf), sendcounts, displs, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm)));
}
#pragma weak MPI_Scatterv_c = PMPI_Scatterv_c
#endif
int PMPI_Scatterv_init(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Scatterv_init(in_buffer(sendbuf), sendcounts, displs, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Scatterv_init = PMPI_Scatterv_init
#pragma weak MPIX_Scatterv_init = PMPI_Scatterv_init
#pragma weak PMPIX_Scatterv_init = PMPI_Scatterv_init
#ifdef WEFT_FACE_MPICH
int PMPI_Scatterv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Scatterv_init_c(in_buffer(sendbuf), sendcounts, displs, in_Datatype(sendtype), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(root), in_Comm(comm), in_Info(info), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Scatterv_init_c = PMPI_Scatterv_init_c
#endif
int PMPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return out_error(abi.Send(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm)));
}
#pragma weak MPI_Send = PMPI_Send
#ifdef WEFT_FACE_MPICH
int PMPI_Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return out_error(abi.Send_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm)));
}
#pragma weak MPI_Send_c = PMPI_Send_c
#endif
int PMPI_Send_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Send_init(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Send_init = PMPI_Send_init
#ifdef WEFT_FACE_MPICH
int PMPI_Send_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Send_init_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Send_init_c = PMPI_Send_init_c
#endif
int PMPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Sendrecv(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_rank(dest), in_tag(sendtag), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(source), in_tag(recvtag), in_Comm(comm), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Sendrecv = PMPI_Sendrecv
#ifdef WEFT_FACE_MPICH
int PMPI_Sendrecv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Sendrecv_c(in_buffer(sendbuf), sendcount, in_Datatype(sendtype), in_rank(dest), in_tag(sendtag), in_buffer(recvbuf), recvcount, in_Datatype(recvtype), in_rank(source), in_tag(recvtag), in_Comm(comm), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Sendrecv_c = PMPI_Sendrecv_c
#endif
int PMPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Sendrecv_replace(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(sendtag), in_rank(source), in_tag(recvtag), in_Comm(comm), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Sendrecv_replace = PMPI_Sendrecv_replace
#ifdef WEFT_FACE_MPICH
int PMPI_Sendrecv_replace_c(void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Status *status) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Sendrecv_replace_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(sendtag), in_rank(source), in_tag(recvtag), in_Comm(comm), c_status);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Sendrecv_replace_c = PMPI_Sendrecv_replace_c
#endif
int PMPI_Session_attach_buffer(MPI_Session session, void *buffer, int size) {
  return out_error(abi.Session_attach_buffer(in_Session(session), in_buffer(buffer), size));
}
#pragma weak MPI_Session_attach_buffer = PMPI_Session_attach_buffer
#ifdef WEFT_FACE_MPICH
int PMPI_Session_attach_buffer_c(MPI_Session session, void *buffer, MPI_Count size) {
  return out_error(abi.Session_attach_buffer_c(in_Session(session), in_buffer(buffer), size));
}
#pragma weak MPI_Session_attach_buffer_c = PMPI_Session_attach_buffer_c
#endif
int PMPI_Session_call_errhandler(MPI_Session session, int errorcode) {
  return out_error(abi.Session_call_errhandler(in_Session(session), in_error(errorcode)));
}
#pragma weak MPI_Session_call_errhandler = PMPI_Session_call_errhandler
int PMPI_Session_detach_buffer(MPI_Session session, void *buffer_addr, int *size) {
  return out_error(abi.Session_detach_buffer(in_Session(session), in_buffer(buffer_addr), size));
}
#pragma weak MPI_Session_detach_buffer = PMPI_Session_detach_buffer
#ifdef WEFT_FACE_MPICH
int PMPI_Session_detach_buffer_c(MPI_Session session, void *buffer_addr, MPI_Count *size) {
  return out_error(abi.Session_detach_buffer_c(in_Session(session), in_buffer(buffer_addr), size));
}
#pragma weak MPI_Session_detach_buffer_c = PMPI_Session_detach_buffer_c
#endif
int PMPI_Session_finalize(MPI_Session *session) {
  abi_handle c_session = session ? in_Session(*session) : 0;
  int code = abi.Session_finalize(session ? &c_session : 0);
  if (session) *session = out_Session(c_session);
  return out_error(code);
}
#pragma weak MPI_Session_finalize = PMPI_Session_finalize
int PMPI_Session_flush_buffer(MPI_Session session) {
  return out_error(abi.Session_flush_buffer(in_Session(session)));
}
#pragma weak MPI_Session_flush_buffer = PMPI_Session_flush_buffer
int PMPI_Session_get_errhandler(MPI_Session session, MPI_Errhandler *errhandler) {
  abi_handle c_errhandler = 0;
  int code = abi.Session_get_errhandler(in_Session(session), errhandler ? &c_errhandler : 0);
  if (c_errhandler) *errhandler = out_Errhandler(c_errhandler);
  return out_error(code);
}
#pragma weak MPI_Session_get_errhandler = PMPI_Session_get_errhandler
int PMPI_Session_get_info(MPI_Session session, MPI_Info *info_used) {
  abi_handle c_info_used = 0;
  int code = abi.Session_get_info(in_Session(session), info_used ? &c_info_used : 0);
  if (c_info_used) *info_used = out_Info(c_info_used);
  return out_error(code);
}
#pragma weak MPI_Session_get_info = PMPI_Session_get_info
int PMPI_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n, int *pset_len, char *pset_name) {
  return out_error(abi.Session_get_nth_pset(in_Session(session), in_Info(info), n, pset_len, pset_name));
}
#pragma weak MPI_Session_get_nth_pset = PMPI_Session_get_nth_pset
int PMPI_Session_get_num_psets(MPI_Session session, MPI_Info info, int *npset_names) {
  return out_error(abi.Session_get_num_psets(in_Session(session), in_Info(info), npset_names));
}
#pragma weak MPI_Session_get_num_psets = PMPI_Session_get_num_psets
int PMPI_Session_get_pset_info(MPI_Session session, const char *pset_name, MPI_Info *info) {
  abi_handle c_info = 0;
  int code = abi.Session_get_pset_info(in_Session(session), pset_name, info ? &c_info : 0);
  if (c_info) *info = out_Info(c_info);
  return out_error(code);
}
#pragma weak MPI_Session_get_pset_info = PMPI_Session_get_pset_info
int PMPI_Session_iflush_buffer(MPI_Session session, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Session_iflush_buffer(in_Session(session), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Session_iflush_buffer = PMPI_Session_iflush_buffer
int PMPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session) {
  abi_handle c_session = 0;
  int code = abi.Session_init(in_Info(info), in_Errhandler(errhandler), session ? &c_session : 0);
  if (c_session) *session = out_Session(c_session);
  return out_error(code);
}
#pragma weak MPI_Session_init = PMPI_Session_init
int PMPI_Session_set_errhandler(MPI_Session session, MPI_Errhandler errhandler) {
  return out_error(abi.Session_set_errhandler(in_Session(session), in_Errhandler(errhandler)));
}
#pragma weak MPI_Session_set_errhandler = PMPI_Session_set_errhandler
int PMPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return out_error(abi.Ssend(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm)));
}
#pragma weak MPI_Ssend = PMPI_Ssend
#ifdef WEFT_FACE_MPICH
int PMPI_Ssend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  return out_error(abi.Ssend_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm)));
}
#pragma weak MPI_Ssend_c = PMPI_Ssend_c
#endif
int PMPI_Ssend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ssend_init(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ssend_init = PMPI_Ssend_init
#ifdef WEFT_FACE_MPICH
int PMPI_Ssend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  abi_handle c_request = 0;
  int code = abi.Ssend_init_c(in_buffer(buf), count, in_Datatype(datatype), in_rank(dest), in_tag(tag), in_Comm(comm), request ? &c_request : 0);
  if (c_request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Ssend_init_c = PMPI_Ssend_init_c
#endif
int PMPI_Start(MPI_Request *request) {
  abi_handle c_request = request ? in_Request(*request) : 0;
  int code = abi.Start(request ? &c_request : 0);
  if (request) *request = out_Request(c_request);
  return out_error(code);
}
#pragma weak MPI_Start = PMPI_Start
int PMPI_Startall(int count, MPI_Request array_of_requests[]) {
  TAKE(Request, array_of_requests, count)
  int code = abi.Startall(count, c_array_of_requests);
  GIVE(Request, array_of_requests)
  DROP(array_of_requests)
  return out_error(code);
}
#pragma weak MPI_Startall = PMPI_Startall
int PMPI_Status_get_error(const MPI_Status *status, int *error) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Status_get_error(c_status, error);
  if (code == 0 && error) *error = out_error(*error);
  return out_error(code);
}
#pragma weak MPI_Status_get_error = PMPI_Status_get_error
int PMPI_Status_get_source(const MPI_Status *status, int *source) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Status_get_source(c_status, source);
  if (code == 0 && source) *source = out_rank(*source);
  return out_error(code);
}
#pragma weak MPI_Status_get_source = PMPI_Status_get_source
int PMPI_Status_get_tag(const MPI_Status *status, int *tag) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Status_get_tag(c_status, tag);
  if (code == 0 && tag) *tag = out_tag(*tag);
  return out_error(code);
}
#pragma weak MPI_Status_get_tag = PMPI_Status_get_tag
int PMPI_Status_set_cancelled(MPI_Status *status, int flag) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Status_set_cancelled(c_status, flag);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Status_set_cancelled = PMPI_Status_set_cancelled
int PMPI_Status_set_elements(MPI_Status *status, MPI_Datatype datatype, int count) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Status_set_elements(c_status, in_Datatype(datatype), count);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Status_set_elements = PMPI_Status_set_elements
#ifdef WEFT_FACE_MPICH
int PMPI_Status_set_elements_c(MPI_Status *status, MPI_Datatype datatype, MPI_Count count) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Status_set_elements_c(c_status, in_Datatype(datatype), count);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Status_set_elements_c = PMPI_Status_set_elements_c
#endif
int PMPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype datatype, MPI_Count count) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Status_set_elements_x(c_status, in_Datatype(datatype), count);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Status_set_elements_x = PMPI_Status_set_elements_x
int PMPI_Status_set_error(MPI_Status *status, int error) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Status_set_error(c_status, in_error(error));
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Status_set_error = PMPI_Status_set_error
int PMPI_Status_set_source(MPI_Status *status, int source) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Status_set_source(c_status, in_rank(source));
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Status_set_source = PMPI_Status_set_source
int PMPI_Status_set_tag(MPI_Status *status, int tag) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Status_set_tag(c_status, in_tag(tag));
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Status_set_tag = PMPI_Status_set_tag
int PMPI_T_category_changed(int *update_number) {
  return out_error(abi.T_category_changed(update_number));
}
#pragma weak MPI_T_category_changed = PMPI_T_category_changed
int PMPI_T_category_get_categories(int cat_index, int len, int indices[]) {
  return out_error(abi.T_category_get_categories(cat_index, len, indices));
}
#pragma weak MPI_T_category_get_categories = PMPI_T_category_get_categories
int PMPI_T_category_get_cvars(int cat_index, int len, int indices[]) {
  return out_error(abi.T_category_get_cvars(cat_index, len, indices));
}
#pragma weak MPI_T_category_get_cvars = PMPI_T_category_get_cvars
int PMPI_T_category_get_events(int cat_index, int len, int indices[]) {
  return out_error(abi.T_category_get_events(cat_index, len, indices));
}
#pragma weak MPI_T_category_get_events = PMPI_T_category_get_events
int PMPI_T_category_get_index(const char *name, int *cat_index) {
  return out_error(abi.T_category_get_index(name, cat_index));
}
#pragma weak MPI_T_category_get_index = PMPI_T_category_get_index
int PMPI_T_category_get_info(int cat_index, char *name, int *name_len, char *desc, int *desc_len, int *num_cvars, int *num_pvars, int *num_categories) {
  return out_error(abi.T_category_get_info(cat_index, name, name_len, desc, desc_len, num_cvars, num_pvars, num_categories));
}
#pragma weak MPI_T_category_get_info = PMPI_T_category_get_info
int PMPI_T_category_get_num(int *num_cat) {
  return out_error(abi.T_category_get_num(num_cat));
}
#pragma weak MPI_T_category_get_num = PMPI_T_category_get_num
int PMPI_T_category_get_num_events(int cat_index, int *num_events) {
  return out_error(abi.T_category_get_num_events(cat_index, num_events));
}
#pragma weak MPI_T_category_get_num_events = PMPI_T_category_get_num_events
int PMPI_T_category_get_pvars(int cat_index, int len, int indices[]) {
  return out_error(abi.T_category_get_pvars(cat_index, len, indices));
}
#pragma weak MPI_T_category_get_pvars = PMPI_T_category_get_pvars
int PMPI_T_cvar_get_index(const char *name, int *cvar_index) {
  return out_error(abi.T_cvar_get_index(name, cvar_index));
}
#pragma weak MPI_T_cvar_get_index = PMPI_T_cvar_get_index
int PMPI_T_cvar_get_info(int cvar_index, char *name, int *name_len, int *verbosity, MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope) {
  abi_handle c_datatype = 0;
  int code = abi.T_cvar_get_info(cvar_index, name, name_len, verbosity, datatype ? &c_datatype : 0, enumtype, desc, desc_len, bind, scope);
  if (code == 0 && verbosity) *verbosity = out_verbosity(*verbosity);
  if (c_datatype) *datatype = out_Datatype(c_datatype);
  if (code == 0 && bind) *bind = out_bind(*bind);
  if (code == 0 && scope) *scope = out_scope(*scope);
  return out_error(code);
}
#pragma weak MPI_T_cvar_get_info = PMPI_T_cvar_get_info
int PMPI_T_cvar_get_num(int *num_cvar) {
  return out_error(abi.T_cvar_get_num(num_cvar));
}
#pragma weak MPI_T_cvar_get_num = PMPI_T_cvar_get_num
int PMPI_T_cvar_handle_alloc(int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count) {
  return out_error(abi.T_cvar_handle_alloc(cvar_index, in_buffer(obj_handle), handle, count));
}
#pragma weak MPI_T_cvar_handle_alloc = PMPI_T_cvar_handle_alloc
int PMPI_T_cvar_handle_free(MPI_T_cvar_handle *handle) {
  return out_error(abi.T_cvar_handle_free(handle));
}
#pragma weak MPI_T_cvar_handle_free = PMPI_T_cvar_handle_free
int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void *buf) {
  return out_error(abi.T_cvar_read(handle, in_buffer(buf)));
}
#pragma weak MPI_T_cvar_read = PMPI_T_cvar_read
int PMPI_T_cvar_write(MPI_T_cvar_handle handle, const void *buf) {
  return out_error(abi.T_cvar_write(handle, in_buffer(buf)));
}
#pragma weak MPI_T_cvar_write = PMPI_T_cvar_write
int PMPI_T_enum_get_info(MPI_T_enum enumtype, int *num, char *name, int *name_len) {
  return out_error(abi.T_enum_get_info(enumtype, num, name, name_len));
}
#pragma weak MPI_T_enum_get_info = PMPI_T_enum_get_info
int PMPI_T_enum_get_item(MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len) {
  return out_error(abi.T_enum_get_item(enumtype, indx, value, name, name_len));
}
#pragma weak MPI_T_enum_get_item = PMPI_T_enum_get_item
int PMPI_T_event_callback_get_info(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info *info_used) {
  abi_handle c_info_used = 0;
  int code = abi.T_event_callback_get_info(event_registration, cb_safety, info_used ? &c_info_used : 0);
  if (c_info_used) *info_used = out_Info(c_info_used);
  return out_error(code);
}
#pragma weak MPI_T_event_callback_get_info = PMPI_T_event_callback_get_info
int PMPI_T_event_callback_set_info(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info) {
  return out_error(abi.T_event_callback_set_info(event_registration, cb_safety, in_Info(info)));
}
#pragma weak MPI_T_event_callback_set_info = PMPI_T_event_callback_set_info
int PMPI_T_event_copy(MPI_T_event_instance event_instance, void *buffer) {
  return out_error(abi.T_event_copy(event_instance, in_buffer(buffer)));
}
#pragma weak MPI_T_event_copy = PMPI_T_event_copy
int PMPI_T_event_get_index(const char *name, int *event_index) {
  return out_error(abi.T_event_get_index(name, event_index));
}
#pragma weak MPI_T_event_get_index = PMPI_T_event_get_index
int PMPI_T_event_get_num(int *num_events) {
  return out_error(abi.T_event_get_num(num_events));
}
#pragma weak MPI_T_event_get_num = PMPI_T_event_get_num
int PMPI_T_event_get_source(MPI_T_event_instance event_instance, int *source_index) {
  return out_error(abi.T_event_get_source(event_instance, source_index));
}
#pragma weak MPI_T_event_get_source = PMPI_T_event_get_source
int PMPI_T_event_get_timestamp(MPI_T_event_instance event_instance, MPI_Count *event_timestamp) {
  return out_error(abi.T_event_get_timestamp(event_instance, event_timestamp));
}
#pragma weak MPI_T_event_get_timestamp = PMPI_T_event_get_timestamp
int PMPI_T_event_handle_alloc(int event_index, void *obj_handle, MPI_Info info, MPI_T_event_registration *event_registration) {
  return out_error(abi.T_event_handle_alloc(event_index, in_buffer(obj_handle), in_Info(info), event_registration));
}
#pragma weak MPI_T_event_handle_alloc = PMPI_T_event_handle_alloc
int PMPI_T_event_handle_free(MPI_T_event_registration event_registration, void *user_data, MPI_T_event_free_cb_function free_cb_function) {
  return out_error(abi.T_event_handle_free(event_registration, in_buffer(user_data), (void *)free_cb_function));
}
#pragma weak MPI_T_event_handle_free = PMPI_T_event_handle_free
int PMPI_T_event_handle_get_info(MPI_T_event_registration event_registration, MPI_Info *info_used) {
  abi_handle c_info_used = 0;
  int code = abi.T_event_handle_get_info(event_registration, info_used ? &c_info_used : 0);
  if (c_info_used) *info_used = out_Info(c_info_used);
  return out_error(code);
}
#pragma weak MPI_T_event_handle_get_info = PMPI_T_event_handle_get_info
int PMPI_T_event_handle_set_info(MPI_T_event_registration event_registration, MPI_Info info) {
  return out_error(abi.T_event_handle_set_info(event_registration, in_Info(info)));
}
#pragma weak MPI_T_event_handle_set_info = PMPI_T_event_handle_set_info
int PMPI_T_event_read(MPI_T_event_instance event_instance, int element_index, void *buffer) {
  return out_error(abi.T_event_read(event_instance, element_index, in_buffer(buffer)));
}
#pragma weak MPI_T_event_read = PMPI_T_event_read
int PMPI_T_event_register_callback(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info, void *user_data, MPI_T_event_cb_function event_cb_function) {
  return out_error(abi.T_event_register_callback(event_registration, cb_safety, in_Info(info), in_buffer(user_data), (void *)event_cb_function));
}
#pragma weak MPI_T_event_register_callback = PMPI_T_event_register_callback
int PMPI_T_event_set_dropped_handler(MPI_T_event_registration event_registration, MPI_T_event_dropped_cb_function dropped_cb_function) {
  return out_error(abi.T_event_set_dropped_handler(event_registration, (void *)dropped_cb_function));
}
#pragma weak MPI_T_event_set_dropped_handler = PMPI_T_event_set_dropped_handler
int PMPI_T_finalize(void) {
  return out_error(abi.T_finalize());
}
#pragma weak MPI_T_finalize = PMPI_T_finalize
int PMPI_T_init_thread(int required, int *provided) {
  int code = abi.T_init_thread(in_thread(required), provided);
  if (code == 0 && provided) *provided = out_thread(*provided);
  return out_error(code);
}
#pragma weak MPI_T_init_thread = PMPI_T_init_thread
int PMPI_T_pvar_get_index(const char *name, int var_class, int *pvar_index) {
  return out_error(abi.T_pvar_get_index(name, in_class(var_class), pvar_index));
}
#pragma weak MPI_T_pvar_get_index = PMPI_T_pvar_get_index
int PMPI_T_pvar_get_info(int pvar_index, char *name, int *name_len, int *verbosity, int *var_class, MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *readonly, int *continuous, int *atomic) {
  abi_handle c_datatype = 0;
  int code = abi.T_pvar_get_info(pvar_index, name, name_len, verbosity, var_class, datatype ? &c_datatype : 0, enumtype, desc, desc_len, bind, readonly, continuous, atomic);
  if (code == 0 && verbosity) *verbosity = out_verbosity(*verbosity);
  if (code == 0 && var_class) *var_class = out_class(*var_class);
  if (c_datatype) *datatype = out_Datatype(c_datatype);
  if (code == 0 && bind) *bind = out_bind(*bind);
  return out_error(code);
}
#pragma weak MPI_T_pvar_get_info = PMPI_T_pvar_get_info
int PMPI_T_pvar_get_num(int *num_pvar) {
  return out_error(abi.T_pvar_get_num(num_pvar));
}
#pragma weak MPI_T_pvar_get_num = PMPI_T_pvar_get_num
int PMPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void *obj_handle, MPI_T_pvar_handle *handle, int *count) {
  return out_error(abi.T_pvar_handle_alloc(session, pvar_index, in_buffer(obj_handle), handle, count));
}
#pragma weak MPI_T_pvar_handle_alloc = PMPI_T_pvar_handle_alloc
int PMPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle) {
  return out_error(abi.T_pvar_handle_free(session, handle));
}
#pragma weak MPI_T_pvar_handle_free = PMPI_T_pvar_handle_free
int PMPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf) {
  return out_error(abi.T_pvar_read(session, in_pvar(handle), in_buffer(buf)));
}
#pragma weak MPI_T_pvar_read = PMPI_T_pvar_read
int PMPI_T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf) {
  return out_error(abi.T_pvar_readreset(session, in_pvar(handle), in_buffer(buf)));
}
#pragma weak MPI_T_pvar_readreset = PMPI_T_pvar_readreset
int PMPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return out_error(abi.T_pvar_reset(session, in_pvar(handle)));
}
#pragma weak MPI_T_pvar_reset = PMPI_T_pvar_reset
int PMPI_T_pvar_session_create(MPI_T_pvar_session *session) {
  return out_error(abi.T_pvar_session_create(session));
}
#pragma weak MPI_T_pvar_session_create = PMPI_T_pvar_session_create
int PMPI_T_pvar_session_free(MPI_T_pvar_session *session) {
  return out_error(abi.T_pvar_session_free(session));
}
#pragma weak MPI_T_pvar_session_free = PMPI_T_pvar_session_free
int PMPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return out_error(abi.T_pvar_start(session, in_pvar(handle)));
}
#pragma weak MPI_T_pvar_start = PMPI_T_pvar_start
int PMPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  return out_error(abi.T_pvar_stop(session, in_pvar(handle)));
}
#pragma weak MPI_T_pvar_stop = PMPI_T_pvar_stop
int PMPI_T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf) {
  return out_error(abi.T_pvar_write(session, in_pvar(handle), in_buffer(buf)));
}
#pragma weak MPI_T_pvar_write = PMPI_T_pvar_write
int PMPI_T_source_get_info(int source_index, char *name, int *name_len, char *desc, int *desc_len, MPI_T_source_order *ordering, MPI_Count *ticks_per_second, MPI_Count *max_ticks, MPI_Info *info) {
  abi_handle c_info = 0;
  int code = abi.T_source_get_info(source_index, name, name_len, desc, desc_len, ordering, ticks_per_second, max_ticks, info ? &c_info : 0);
  if (c_info) *info = out_Info(c_info);
  return out_error(code);
}
#pragma weak MPI_T_source_get_info = PMPI_T_source_get_info
int PMPI_T_source_get_num(int *num_sources) {
  return out_error(abi.T_source_get_num(num_sources));
}
#pragma weak MPI_T_source_get_num = PMPI_T_source_get_num
int PMPI_T_source_get_timestamp(int source_index, MPI_Count *timestamp) {
  return out_error(abi.T_source_get_timestamp(source_index, timestamp));
}
#pragma weak MPI_T_source_get_timestamp = PMPI_T_source_get_timestamp
int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  abi_handle c_request = request ? in_Request(*request) : 0;
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Test(request ? &c_request : 0, flag, c_status);
  if (request) *request = out_Request(c_request);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Test = PMPI_Test
int PMPI_Test_cancelled(const MPI_Status *status, int *flag) {
  abi_status r_status, *c_status = in_status(status, &r_status);
  return out_error(abi.Test_cancelled(c_status, flag));
}
#pragma weak MPI_Test_cancelled = PMPI_Test_cancelled
int PMPI_Testall(int count, MPI_Request array_of_requests[], int *flag, MPI_Status *array_of_statuses) {
  TAKE(Request, array_of_requests, count)
  TAKE_STATUSES(array_of_statuses, count)
  int code = abi.Testall(count, c_array_of_requests, flag, c_array_of_statuses);
  GIVE(Request, array_of_requests)
  DROP(array_of_requests)
  GIVE_STATUSES(array_of_statuses)
  DROP(array_of_statuses)
  return out_error(code);
}
#pragma weak MPI_Testall = PMPI_Testall
int PMPI_Testany(int count, MPI_Request array_of_requests[], int *indx, int *flag, MPI_Status *status) {
  TAKE(Request, array_of_requests, count)
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Testany(count, c_array_of_requests, indx, flag, c_status);
  GIVE(Request, array_of_requests)
  DROP(array_of_requests)
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Testany = PMPI_Testany
int PMPI_Testsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[], MPI_Status *array_of_statuses) {
  TAKE(Request, array_of_requests, incount)
  TAKE_STATUSES(array_of_statuses, incount)
  int code = abi.Testsome(incount, c_array_of_requests, outcount, array_of_indices, c_array_of_statuses);
  GIVE(Request, array_of_requests)
  DROP(array_of_requests)
  GIVE_STATUSES(array_of_statuses)
  DROP(array_of_statuses)
  return out_error(code);
}
#pragma weak MPI_Testsome = PMPI_Testsome
int PMPI_Topo_test(MPI_Comm comm, int *status) {
  int code = abi.Topo_test(in_Comm(comm), status);
  if (code == 0 && status) *status = out_topology(*status);
  return out_error(code);
}
#pragma weak MPI_Topo_test = PMPI_Topo_test
int PMPI_Type_commit(MPI_Datatype *datatype) {
  abi_handle c_datatype = datatype ? in_Datatype(*datatype) : 0;
  int code = abi.Type_commit(datatype ? &c_datatype : 0);
  if (datatype) *datatype = out_Datatype(c_datatype);
  return out_error(code);
}
#pragma weak MPI_Type_commit = PMPI_Type_commit
int PMPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_contiguous(count, in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_contiguous = PMPI_Type_contiguous
#ifdef WEFT_FACE_MPICH
int PMPI_Type_contiguous_c(MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_contiguous_c(count, in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_contiguous_c = PMPI_Type_contiguous_c
#endif
int PMPI_Type_create_darray(int size, int rank, int ndims, const int array_of_gsizes[], const int array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  TAKE_INTS(distribution, array_of_distribs, ndims)
  TAKE_INTS(distarg, array_of_dargs, ndims)
  abi_handle c_newtype = 0;
  int code = abi.Type_create_darray(size, rank, ndims, array_of_gsizes, c_array_of_distribs, c_array_of_dargs, array_of_psizes, in_order(order), in_Datatype(oldtype), newtype ? &c_newtype : 0);
  DROP(array_of_distribs)
  DROP(array_of_dargs)
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_darray = PMPI_Type_create_darray
#ifdef WEFT_FACE_MPICH
int PMPI_Type_create_darray_c(int size, int rank, int ndims, const MPI_Count array_of_gsizes[], const int array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  TAKE_INTS(distribution, array_of_distribs, ndims)
  TAKE_INTS(distarg, array_of_dargs, ndims)
  abi_handle c_newtype = 0;
  int code = abi.Type_create_darray_c(size, in_rank(rank), ndims, array_of_gsizes, c_array_of_distribs, c_array_of_dargs, array_of_psizes, in_order(order), in_Datatype(oldtype), newtype ? &c_newtype : 0);
  DROP(array_of_distribs)
  DROP(array_of_dargs)
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_darray_c = PMPI_Type_create_darray_c
#endif
int PMPI_Type_create_f90_complex(int p, int r, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_create_f90_complex(p, r, newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_f90_complex = PMPI_Type_create_f90_complex
int PMPI_Type_create_f90_integer(int r, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_create_f90_integer(r, newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_f90_integer = PMPI_Type_create_f90_integer
int PMPI_Type_create_f90_real(int p, int r, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_create_f90_real(p, r, newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_f90_real = PMPI_Type_create_f90_real
int PMPI_Type_create_hindexed(int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_create_hindexed(count, array_of_blocklengths, array_of_displacements, in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_hindexed = PMPI_Type_create_hindexed
int PMPI_Type_create_hindexed_block(int count, int blocklength, const MPI_Aint array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_create_hindexed_block(count, blocklength, array_of_displacements, in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_hindexed_block = PMPI_Type_create_hindexed_block
#ifdef WEFT_FACE_MPICH
int PMPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count blocklength, const MPI_Count array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_create_hindexed_block_c(count, blocklength, array_of_displacements, in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_hindexed_block_c = PMPI_Type_create_hindexed_block_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[], const MPI_Count array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_create_hindexed_c(count, array_of_blocklengths, array_of_displacements, in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_hindexed_c = PMPI_Type_create_hindexed_c
#endif
int PMPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_create_hvector(count, blocklength, stride, in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_hvector = PMPI_Type_create_hvector
#ifdef WEFT_FACE_MPICH
int PMPI_Type_create_hvector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_create_hvector_c(count, blocklength, stride, in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_hvector_c = PMPI_Type_create_hvector_c
#endif
int PMPI_Type_create_indexed_block(int count, int blocklength, const int array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_create_indexed_block(count, blocklength, array_of_displacements, in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_indexed_block = PMPI_Type_create_indexed_block
#ifdef WEFT_FACE_MPICH
int PMPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count blocklength, const MPI_Count array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_create_indexed_block_c(count, blocklength, array_of_displacements, in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_indexed_block_c = PMPI_Type_create_indexed_block_c
#endif
int PMPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_create_resized(in_Datatype(oldtype), lb, extent, newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_resized = PMPI_Type_create_resized
#ifdef WEFT_FACE_MPICH
int PMPI_Type_create_resized_c(MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_create_resized_c(in_Datatype(oldtype), lb, extent, newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_resized_c = PMPI_Type_create_resized_c
#endif
#ifdef WEFT_FACE_MPICH
int PMPI_Type_create_struct_c(MPI_Count count, const MPI_Count array_of_blocklengths[], const MPI_Count array_of_displacements[], const MPI_Datatype array_of_types[], MPI_Datatype *newtype) {
  TAKE(Datatype, array_of_types, count)
  abi_handle c_newtype = 0;
  int code = abi.Type_create_struct_c(count, array_of_blocklengths, array_of_displacements, c_array_of_types, newtype ? &c_newtype : 0);
  DROP(array_of_types)
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_struct_c = PMPI_Type_create_struct_c
#endif
int PMPI_Type_create_subarray(int ndims, const int array_of_sizes[], const int array_of_subsizes[], const int array_of_starts[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_create_subarray(ndims, array_of_sizes, array_of_subsizes, array_of_starts, in_order(order), in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_subarray = PMPI_Type_create_subarray
#ifdef WEFT_FACE_MPICH
int PMPI_Type_create_subarray_c(int ndims, const MPI_Count array_of_sizes[], const MPI_Count array_of_subsizes[], const MPI_Count array_of_starts[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_create_subarray_c(ndims, array_of_sizes, array_of_subsizes, array_of_starts, in_order(order), in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_create_subarray_c = PMPI_Type_create_subarray_c
#endif
int PMPI_Type_delete_attr(MPI_Datatype datatype, int type_keyval) {
  return out_error(abi.Type_delete_attr(in_Datatype(datatype), in_keyval(type_keyval)));
}
#pragma weak MPI_Type_delete_attr = PMPI_Type_delete_attr
int PMPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_dup(in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_dup = PMPI_Type_dup
int PMPI_Type_free(MPI_Datatype *datatype) {
  abi_handle c_datatype = datatype ? in_Datatype(*datatype) : 0;
  int code = abi.Type_free(datatype ? &c_datatype : 0);
  if (datatype) *datatype = out_Datatype(c_datatype);
  return out_error(code);
}
#pragma weak MPI_Type_free = PMPI_Type_free
int PMPI_Type_free_keyval(int *type_keyval) {
  int c_type_keyval = type_keyval ? in_keyval(*type_keyval) : 0;
  int code = abi.Type_free_keyval(type_keyval ? &c_type_keyval : 0);
  if (type_keyval) *type_keyval = out_keyval(c_type_keyval);
  return out_error(code);
}
#pragma weak MPI_Type_free_keyval = PMPI_Type_free_keyval
int PMPI_Type_get_attr(MPI_Datatype datatype, int type_keyval, void *attribute_val, int *flag) {
  return out_error(abi.Type_get_attr(in_Datatype(datatype), in_keyval(type_keyval), in_buffer(attribute_val), flag));
}
#pragma weak MPI_Type_get_attr = PMPI_Type_get_attr
int PMPI_Type_get_envelope(MPI_Datatype datatype, int *num_integers, int *num_addresses, int *num_datatypes, int *combiner) {
  int code = abi.Type_get_envelope(in_Datatype(datatype), num_integers, num_addresses, num_datatypes, combiner);
  if (code == 0 && combiner) *combiner = out_combiner(*combiner);
  return out_error(code);
}
#pragma weak MPI_Type_get_envelope = PMPI_Type_get_envelope
int PMPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count *num_integers, MPI_Count *num_addresses, MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner) {
  int code = abi.Type_get_envelope_c(in_Datatype(datatype), num_integers, num_addresses, num_large_counts, num_datatypes, combiner);
  if (code == 0 && combiner) *combiner = out_combiner(*combiner);
  return out_error(code);
}
#pragma weak MPI_Type_get_envelope_c = PMPI_Type_get_envelope_c
int PMPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent) {
  return out_error(abi.Type_get_extent(in_Datatype(datatype), lb, extent));
}
#pragma weak MPI_Type_get_extent = PMPI_Type_get_extent
#ifdef WEFT_FACE_MPICH
int PMPI_Type_get_extent_c(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent) {
  return out_error(abi.Type_get_extent_c(in_Datatype(datatype), lb, extent));
}
#pragma weak MPI_Type_get_extent_c = PMPI_Type_get_extent_c
#endif
int PMPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent) {
  return out_error(abi.Type_get_extent_x(in_Datatype(datatype), lb, extent));
}
#pragma weak MPI_Type_get_extent_x = PMPI_Type_get_extent_x
int PMPI_Type_get_name(MPI_Datatype datatype, char *type_name, int *resultlen) {
  char c_type_name[ABI_MAX_OBJECT_NAME] = "";
  int code = abi.Type_get_name(in_Datatype(datatype), type_name ? c_type_name : 0, resultlen);
  if (code == 0) out_text(type_name, MPI_MAX_OBJECT_NAME, c_type_name, resultlen);
  return out_error(code);
}
#pragma weak MPI_Type_get_name = PMPI_Type_get_name
int PMPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint *true_lb, MPI_Aint *true_extent) {
  return out_error(abi.Type_get_true_extent(in_Datatype(datatype), true_lb, true_extent));
}
#pragma weak MPI_Type_get_true_extent = PMPI_Type_get_true_extent
#ifdef WEFT_FACE_MPICH
int PMPI_Type_get_true_extent_c(MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent) {
  return out_error(abi.Type_get_true_extent_c(in_Datatype(datatype), true_lb, true_extent));
}
#pragma weak MPI_Type_get_true_extent_c = PMPI_Type_get_true_extent_c
#endif
int PMPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent) {
  return out_error(abi.Type_get_true_extent_x(in_Datatype(datatype), true_lb, true_extent));
}
#pragma weak MPI_Type_get_true_extent_x = PMPI_Type_get_true_extent_x
int PMPI_Type_get_value_index(MPI_Datatype value_type, MPI_Datatype index_type, MPI_Datatype *pair_type) {
  abi_handle c_pair_type = 0;
  int code = abi.Type_get_value_index(in_Datatype(value_type), in_Datatype(index_type), pair_type ? &c_pair_type : 0);
  if (c_pair_type) *pair_type = out_Datatype(c_pair_type);
  return out_error(code);
}
#pragma weak MPI_Type_get_value_index = PMPI_Type_get_value_index
int PMPI_Type_indexed(int count, const int array_of_blocklengths[], const int array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_indexed(count, array_of_blocklengths, array_of_displacements, in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_indexed = PMPI_Type_indexed
#ifdef WEFT_FACE_MPICH
int PMPI_Type_indexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[], const MPI_Count array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_indexed_c(count, array_of_blocklengths, array_of_displacements, in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_indexed_c = PMPI_Type_indexed_c
#endif
int PMPI_Type_match_size(int typeclass, int size, MPI_Datatype *datatype) {
  abi_handle c_datatype = 0;
  int code = abi.Type_match_size(in_typeclass(typeclass), size, datatype ? &c_datatype : 0);
  if (c_datatype) *datatype = out_Datatype(c_datatype);
  return out_error(code);
}
#pragma weak MPI_Type_match_size = PMPI_Type_match_size
int PMPI_Type_set_attr(MPI_Datatype datatype, int type_keyval, void *attribute_val) {
  return out_error(abi.Type_set_attr(in_Datatype(datatype), in_keyval(type_keyval), in_buffer(attribute_val)));
}
#pragma weak MPI_Type_set_attr = PMPI_Type_set_attr
int PMPI_Type_set_name(MPI_Datatype datatype, const char *type_name) {
  return out_error(abi.Type_set_name(in_Datatype(datatype), type_name));
}
#pragma weak MPI_Type_set_name = PMPI_Type_set_name
int PMPI_Type_size(MPI_Datatype datatype, int *size) {
  return out_error(abi.Type_size(in_Datatype(datatype), size));
}
#pragma weak MPI_Type_size = PMPI_Type_size
#ifdef WEFT_FACE_MPICH
int PMPI_Type_size_c(MPI_Datatype datatype, MPI_Count *size) {
  return out_error(abi.Type_size_c(in_Datatype(datatype), size));
}
#pragma weak MPI_Type_size_c = PMPI_Type_size_c
#endif
int PMPI_Type_size_x(MPI_Datatype datatype, MPI_Count *size) {
  return out_error(abi.Type_size_x(in_Datatype(datatype), size));
}
#pragma weak MPI_Type_size_x = PMPI_Type_size_x
int PMPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_vector(count, blocklength, stride, in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_vector = PMPI_Type_vector
#ifdef WEFT_FACE_MPICH
int PMPI_Type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  abi_handle c_newtype = 0;
  int code = abi.Type_vector_c(count, blocklength, stride, in_Datatype(oldtype), newtype ? &c_newtype : 0);
  if (c_newtype) *newtype = out_Datatype(c_newtype);
  return out_error(code);
}
#pragma weak MPI_Type_vector_c = PMPI_Type_vector_c
#endif
int PMPI_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount, MPI_Datatype datatype, MPI_Comm comm) {
  return out_error(abi.Unpack(in_buffer(inbuf), insize, position, in_buffer(outbuf), outcount, in_Datatype(datatype), in_Comm(comm)));
}
#pragma weak MPI_Unpack = PMPI_Unpack
#ifdef WEFT_FACE_MPICH
int PMPI_Unpack_c(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount, MPI_Datatype datatype, MPI_Comm comm) {
  return out_error(abi.Unpack_c(in_buffer(inbuf), insize, position, in_buffer(outbuf), outcount, in_Datatype(datatype), in_Comm(comm)));
}
#pragma weak MPI_Unpack_c = PMPI_Unpack_c
#endif
int PMPI_Unpack_external(const char datarep[], const void *inbuf, MPI_Aint insize, MPI_Aint *position, void *outbuf, int outcount, MPI_Datatype datatype) {
  return out_error(abi.Unpack_external(datarep, in_buffer(inbuf), insize, position, in_buffer(outbuf), outcount, in_Datatype(datatype)));
}
#pragma weak MPI_Unpack_external = PMPI_Unpack_external
#ifdef WEFT_FACE_MPICH
int PMPI_Unpack_external_c(const char datarep[], const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount, MPI_Datatype datatype) {
  return out_error(abi.Unpack_external_c(datarep, in_buffer(inbuf), insize, position, in_buffer(outbuf), outcount, in_Datatype(datatype)));
}
#pragma weak MPI_Unpack_external_c = PMPI_Unpack_external_c
#endif
int PMPI_Unpublish_name(const char *service_name, MPI_Info info, const char *port_name) {
  return out_error(abi.Unpublish_name(service_name, in_Info(info), port_name));
}
#pragma weak MPI_Unpublish_name = PMPI_Unpublish_name
int PMPI_Wait(MPI_Request *request, MPI_Status *status) {
  abi_handle c_request = request ? in_Request(*request) : 0;
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Wait(request ? &c_request : 0, c_status);
  if (request) *request = out_Request(c_request);
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Wait = PMPI_Wait
int PMPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses) {
  TAKE(Request, array_of_requests, count)
  TAKE_STATUSES(array_of_statuses, count)
  int code = abi.Waitall(count, c_array_of_requests, c_array_of_statuses);
  GIVE(Request, array_of_requests)
  DROP(array_of_requests)
  GIVE_STATUSES(array_of_statuses)
  DROP(array_of_statuses)
  return out_error(code);
}
#pragma weak MPI_Waitall = PMPI_Waitall
int PMPI_Waitany(int count, MPI_Request array_of_requests[], int *indx, MPI_Status *status) {
  TAKE(Request, array_of_requests, count)
  abi_status r_status, *c_status = in_status(status, &r_status);
  int code = abi.Waitany(count, c_array_of_requests, indx, c_status);
  GIVE(Request, array_of_requests)
  DROP(array_of_requests)
  out_status(status, c_status);
  return out_error(code);
}
#pragma weak MPI_Waitany = PMPI_Waitany
int PMPI_Waitsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[], MPI_Status *array_of_statuses) {
  TAKE(Request, array_of_requests, incount)
  TAKE_STATUSES(array_of_statuses, incount)
  int code = abi.Waitsome(incount, c_array_of_requests, outcount, array_of_indices, c_array_of_statuses);
  GIVE(Request, array_of_requests)
  DROP(array_of_requests)
  GIVE_STATUSES(array_of_statuses)
  DROP(array_of_statuses)
  return out_error(code);
}
#pragma weak MPI_Waitsome = PMPI_Waitsome
int PMPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win) {
  abi_handle c_win = 0;
  int code = abi.Win_allocate(size, disp_unit, in_Info(info), in_Comm(comm), in_buffer(baseptr), win ? &c_win : 0);
  if (c_win) *win = out_Win(c_win);
  return out_error(code);
}
#pragma weak MPI_Win_allocate = PMPI_Win_allocate
#ifdef WEFT_FACE_MPICH
int PMPI_Win_allocate_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win) {
  abi_handle c_win = 0;
  int code = abi.Win_allocate_c(size, disp_unit, in_Info(info), in_Comm(comm), in_buffer(baseptr), win ? &c_win : 0);
  if (c_win) *win = out_Win(c_win);
  return out_error(code);
}
#pragma weak MPI_Win_allocate_c = PMPI_Win_allocate_c
#endif
int PMPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win) {
  abi_handle c_win = 0;
  int code = abi.Win_allocate_shared(size, disp_unit, in_Info(info), in_Comm(comm), in_buffer(baseptr), win ? &c_win : 0);
  if (c_win) *win = out_Win(c_win);
  return out_error(code);
}
#pragma weak MPI_Win_allocate_shared = PMPI_Win_allocate_shared
#ifdef WEFT_FACE_MPICH
int PMPI_Win_allocate_shared_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win) {
  abi_handle c_win = 0;
  int code = abi.Win_allocate_shared_c(size, disp_unit, in_Info(info), in_Comm(comm), in_buffer(baseptr), win ? &c_win : 0);
  if (c_win) *win = out_Win(c_win);
  return out_error(code);
}
#pragma weak MPI_Win_allocate_shared_c = PMPI_Win_allocate_shared_c
#endif
int PMPI_Win_attach(MPI_Win win, void *base, MPI_Aint size) {
  return out_error(abi.Win_attach(in_Win(win), in_buffer(base), size));
}
#pragma weak MPI_Win_attach = PMPI_Win_attach
int PMPI_Win_call_errhandler(MPI_Win win, int errorcode) {
  return out_error(abi.Win_call_errhandler(in_Win(win), in_error(errorcode)));
}
#pragma weak MPI_Win_call_errhandler = PMPI_Win_call_errhandler
int PMPI_Win_complete(MPI_Win win) {
  return out_error(abi.Win_complete(in_Win(win)));
}
#pragma weak MPI_Win_complete = PMPI_Win_complete
int PMPI_Win_create(void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win) {
  abi_handle c_win = 0;
  int code = abi.Win_create(in_buffer(base), size, disp_unit, in_Info(info), in_Comm(comm), win ? &c_win : 0);
  if (c_win) *win = out_Win(c_win);
  return out_error(code);
}
#pragma weak MPI_Win_create = PMPI_Win_create
#ifdef WEFT_FACE_MPICH
int PMPI_Win_create_c(void *base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win) {
  abi_handle c_win = 0;
  int code = abi.Win_create_c(in_buffer(base), size, disp_unit, in_Info(info), in_Comm(comm), win ? &c_win : 0);
  if (c_win) *win = out_Win(c_win);
  return out_error(code);
}
#pragma weak MPI_Win_create_c = PMPI_Win_create_c
#endif
int PMPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win) {
  abi_handle c_win = 0;
  int code = abi.Win_create_dynamic(in_Info(info), in_Comm(comm), win ? &c_win : 0);
  if (c_win) *win = out_Win(c_win);
  return out_error(code);
}
#pragma weak MPI_Win_create_dynamic = PMPI_Win_create_dynamic
int PMPI_Win_delete_attr(MPI_Win win, int win_keyval) {
  return out_error(abi.Win_delete_attr(in_Win(win), in_keyval(win_keyval)));
}
#pragma weak MPI_Win_delete_attr = PMPI_Win_delete_attr
int PMPI_Win_detach(MPI_Win win, const void *base) {
  return out_error(abi.Win_detach(in_Win(win), in_buffer(base)));
}
#pragma weak MPI_Win_detach = PMPI_Win_detach
int PMPI_Win_fence(int assert, MPI_Win win) {
  return out_error(abi.Win_fence(in_assertion(assert), in_Win(win)));
}
#pragma weak MPI_Win_fence = PMPI_Win_fence
int PMPI_Win_flush(int rank, MPI_Win win) {
  return out_error(abi.Win_flush(in_rank(rank), in_Win(win)));
}
#pragma weak MPI_Win_flush = PMPI_Win_flush
int PMPI_Win_flush_all(MPI_Win win) {
  return out_error(abi.Win_flush_all(in_Win(win)));
}
#pragma weak MPI_Win_flush_all = PMPI_Win_flush_all
int PMPI_Win_flush_local(int rank, MPI_Win win) {
  return out_error(abi.Win_flush_local(in_rank(rank), in_Win(win)));
}
#pragma weak MPI_Win_flush_local = PMPI_Win_flush_local
int PMPI_Win_flush_local_all(MPI_Win win) {
  return out_error(abi.Win_flush_local_all(in_Win(win)));
}
#pragma weak MPI_Win_flush_local_all = PMPI_Win_flush_local_all
int PMPI_Win_free(MPI_Win *win) {
  abi_handle c_win = win ? in_Win(*win) : 0;
  int code = abi.Win_free(win ? &c_win : 0);
  if (win) *win = out_Win(c_win);
  return out_error(code);
}
#pragma weak MPI_Win_free = PMPI_Win_free
int PMPI_Win_free_keyval(int *win_keyval) {
  int c_win_keyval = win_keyval ? in_keyval(*win_keyval) : 0;
  int code = abi.Win_free_keyval(win_keyval ? &c_win_keyval : 0);
  if (win_keyval) *win_keyval = out_keyval(c_win_keyval);
  return out_error(code);
}
#pragma weak MPI_Win_free_keyval = PMPI_Win_free_keyval
int PMPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *errhandler) {
  abi_handle c_errhandler = 0;
  int code = abi.Win_get_errhandler(in_Win(win), errhandler ? &c_errhandler : 0);
  if (c_errhandler) *errhandler = out_Errhandler(c_errhandler);
  return out_error(code);
}
#pragma weak MPI_Win_get_errhandler = PMPI_Win_get_errhandler
int PMPI_Win_get_group(MPI_Win win, MPI_Group *group) {
  abi_handle c_group = 0;
  int code = abi.Win_get_group(in_Win(win), group ? &c_group : 0);
  if (c_group) *group = out_Group(c_group);
  return out_error(code);
}
#pragma weak MPI_Win_get_group = PMPI_Win_get_group
int PMPI_Win_get_info(MPI_Win win, MPI_Info *info_used) {
  abi_handle c_info_used = 0;
  int code = abi.Win_get_info(in_Win(win), info_used ? &c_info_used : 0);
  if (c_info_used) *info_used = out_Info(c_info_used);
  return out_error(code);
}
#pragma weak MPI_Win_get_info = PMPI_Win_get_info
int PMPI_Win_get_name(MPI_Win win, char *win_name, int *resultlen) {
  char c_win_name[ABI_MAX_OBJECT_NAME] = "";
  int code = abi.Win_get_name(in_Win(win), win_name ? c_win_name : 0, resultlen);
  if (code == 0) out_text(win_name, MPI_MAX_OBJECT_NAME, c_win_name, resultlen);
  return out_error(code);
}
#pragma weak MPI_Win_get_name = PMPI_Win_get_name
int PMPI_Win_lock(int lock_type, int rank, int assert, MPI_Win win) {
  return out_error(abi.Win_lock(in_lock(lock_type), in_rank(rank), in_assertion(assert), in_Win(win)));
}
#pragma weak MPI_Win_lock = PMPI_Win_lock
int PMPI_Win_lock_all(int assert, MPI_Win win) {
  return out_error(abi.Win_lock_all(in_assertion(assert), in_Win(win)));
}
#pragma weak MPI_Win_lock_all = PMPI_Win_lock_all
int PMPI_Win_post(MPI_Group group, int assert, MPI_Win win) {
  return out_error(abi.Win_post(in_Group(group), in_assertion(assert), in_Win(win)));
}
#pragma weak MPI_Win_post = PMPI_Win_post
int PMPI_Win_set_attr(MPI_Win win, int win_keyval, void *attribute_val) {
  return out_error(abi.Win_set_attr(in_Win(win), in_keyval(win_keyval), in_buffer(attribute_val)));
}
#pragma weak MPI_Win_set_attr = PMPI_Win_set_attr
int PMPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler) {
  return out_error(abi.Win_set_errhandler(in_Win(win), in_Errhandler(errhandler)));
}
#pragma weak MPI_Win_set_errhandler = PMPI_Win_set_errhandler
int PMPI_Win_set_info(MPI_Win win, MPI_Info info) {
  return out_error(abi.Win_set_info(in_Win(win), in_Info(info)));
}
#pragma weak MPI_Win_set_info = PMPI_Win_set_info
int PMPI_Win_set_name(MPI_Win win, const char *win_name) {
  return out_error(abi.Win_set_name(in_Win(win), win_name));
}
#pragma weak MPI_Win_set_name = PMPI_Win_set_name
int PMPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr) {
  return out_error(abi.Win_shared_query(in_Win(win), in_rank(rank), size, disp_unit, in_buffer(baseptr)));
}
#pragma weak MPI_Win_shared_query = PMPI_Win_shared_query
#ifdef WEFT_FACE_MPICH
int PMPI_Win_shared_query_c(MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *disp_unit, void *baseptr) {
  return out_error(abi.Win_shared_query_c(in_Win(win), in_rank(rank), size, disp_unit, in_buffer(baseptr)));
}
#pragma weak MPI_Win_shared_query_c = PMPI_Win_shared_query_c
#endif
int PMPI_Win_start(MPI_Group group, int assert, MPI_Win win) {
  return out_error(abi.Win_start(in_Group(group), in_assertion(assert), in_Win(win)));
}
#pragma weak MPI_Win_start = PMPI_Win_start
int PMPI_Win_sync(MPI_Win win) {
  return out_error(abi.Win_sync(in_Win(win)));
}
#pragma weak MPI_Win_sync = PMPI_Win_sync
int PMPI_Win_test(MPI_Win win, int *flag) {
  return out_error(abi.Win_test(in_Win(win), flag));
}
#pragma weak MPI_Win_test = PMPI_Win_test
int PMPI_Win_unlock(int rank, MPI_Win win) {
  return out_error(abi.Win_unlock(in_rank(rank), in_Win(win)));
}
#pragma weak MPI_Win_unlock = PMPI_Win_unlock
int PMPI_Win_unlock_all(MPI_Win win) {
  return out_error(abi.Win_unlock_all(in_Win(win)));
}
#pragma weak MPI_Win_unlock_all = PMPI_Win_unlock_all
int PMPI_Win_wait(MPI_Win win) {
  return out_error(abi.Win_wait(in_Win(win)));
}
#pragma weak MPI_Win_wait = PMPI_Win_wait

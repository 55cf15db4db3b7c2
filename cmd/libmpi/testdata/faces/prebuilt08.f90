! The module mpi_f08 of Open MPI, whose library stands over that of the face.
program prebuilt08
  use mpi_f08
  implicit none
  integer :: me, all, got, sum, n
  type(MPI_Status) :: status
  type(MPI_Request) :: request
  type(MPI_Comm) :: comm
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, all)
  call MPI_Irecv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, request)
  call MPI_Send(me, 1, MPI_INTEGER, mod(me + 1, all), 5, MPI_COMM_WORLD)
  call MPI_Wait(request, status)
  call MPI_Get_count(status, MPI_INTEGER, n)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Allreduce(me, sum, 1, MPI_INTEGER, MPI_SUM, comm)
  call MPI_Comm_free(comm)
  if (got /= mod(me + all - 1, all) .or. status%MPI_SOURCE /= got .or. n /= 1) call MPI_Abort(MPI_COMM_WORLD, 3)
  if (sum /= all * (all - 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 5)
  if (comm /= MPI_COMM_NULL .or. request /= MPI_REQUEST_NULL) call MPI_Abort(MPI_COMM_WORLD, 4)
  call MPI_Finalize()
end program

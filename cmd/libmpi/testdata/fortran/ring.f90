program ring
  use mpi
  implicit none
  integer :: rank, size, from, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  call MPI_Sendrecv(rank, 1, MPI_INTEGER, mod(rank + 1, size), 0, from, 1, MPI_INTEGER, &
    mod(rank + size - 1, size), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  print *, 'rank', rank, 'hears from', from
  call MPI_Finalize(ierror)
end program

package main

import _ "github.com/weft-mpi/weft/mpi/rdma" // with the tag rdma, the tool opens RDMA adapters

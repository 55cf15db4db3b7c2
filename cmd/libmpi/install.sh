#!/bin/sh
# Builds the C library and installs it below a directory: install.sh PREFIX. Needs Go and a C compiler.
set -eu
here=$(dirname "$(readlink -f "$0")")
mkdir -p "$1"
prefix=$(readlink -f "$1")
mkdir -p "$prefix/bin" "$prefix/lib/pkgconfig" "$prefix/include"
cd "$here"
CGO_ENABLED=1 ${GO:-go} build -buildvcs=false -buildmode=c-shared -o "$prefix/lib/libmpi_abi.so.1" \
	-ldflags "-s -w -extldflags '-Wl,-soname,libmpi_abi.so.1 -Wl,--version-script=$here/symbols.map'" .
rm -f "$prefix/lib/libmpi_abi.so.h" # what cgo says of itself
ln -sf libmpi_abi.so.1 "$prefix/lib/libmpi_abi.so"
ln -sf libmpi_abi.so.1 "$prefix/lib/libmpi_abi.so.0"
cp include/mpi.h "$prefix/include/mpi.h"
if [ -n "${WEFT:-}" ]; then
	ln -sf "$WEFT" "$prefix/bin/weft"
else
	CGO_ENABLED=0 ${GO:-go} build -buildvcs=false -o "$prefix/bin/weft" ../weft
fi
cp bin/mpicc bin/mpiexec "$prefix/bin/"
for name in mpicxx mpic++ mpiCC; do ln -sf mpicc "$prefix/bin/$name"; done
ln -sf mpiexec "$prefix/bin/mpirun"
cat >"$prefix/lib/pkgconfig/weft-mpi.pc" <<END
prefix=$prefix
Name: weft-mpi
Description: MPI 5.0 in C, by Weft
Version: 5.0
Cflags: -I\${prefix}/include
Libs: -L\${prefix}/lib -Wl,-rpath,\${prefix}/lib -lmpi_abi
END

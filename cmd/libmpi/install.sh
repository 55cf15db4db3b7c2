#!/bin/sh
# Builds the C library and installs it below a directory: install.sh PREFIX. Needs Go and a C compiler; for Fortran's
# "use mpi" also a Fortran compiler, $FC or gfortran, the one that programs will be compiled with. $CFLAGS are for the parts in C.
set -eu
here=$(dirname "$(readlink -f "$0")")
mkdir -p "$1"
prefix=$(readlink -f "$1")
mkdir -p "$prefix/bin" "$prefix/lib/pkgconfig" "$prefix/include"
cd "$here"
tool=""
if [ -n "${WEFT:-}" ]; then
	ln -sf "$WEFT" "$prefix/bin/weft"
else
	CGO_ENABLED=0 ${GO:-go} build -buildvcs=false -o "$prefix/bin/weft" ../weft &
	tool=$!
fi
CGO_ENABLED=1 ${GO:-go} build -buildvcs=false -buildmode=c-shared -o "$prefix/lib/libmpi_abi.so.1" \
	-ldflags "-s -w -extldflags '-Wl,-soname,libmpi_abi.so.1 -Wl,--version-script=$here/symbols.map'" .
rm -f "$prefix/lib/libmpi_abi.so.h" # what cgo says of itself
ln -sf libmpi_abi.so.1 "$prefix/lib/libmpi_abi.so"
ln -sf libmpi_abi.so.1 "$prefix/lib/libmpi_abi.so.0"
cp include/mpi.h include/mpif.h "$prefix/include/"
flags=${CFLAGS:--O2}
${CC:-cc} -std=gnu11 $flags -fPIC -shared -I"$prefix/include" -o "$prefix/lib/libmpi_weft_f.so" fortran/*.c -Wl,-soname,libmpi_weft_f.so \
	-L"$prefix/lib" -lmpi_abi -Wl,-rpath,'$ORIGIN'
# Faces for programs that were compiled for other libraries: weft run --as has the loader look into these directories.
for face in mpich openmpi; do
	to=$prefix/lib/weft/$face
	mkdir -p "$to"
	case $face in mpich) name=libmpich.so.12 fort=libmpichfort.so.12 ;; openmpi) name=libmpi.so.40 fort=libmpi_mpifh.so.40 ;; esac
	define=-DWEFT_FACE_$(echo $face | tr a-z A-Z)
	${CC:-cc} -std=gnu11 $flags -fPIC -shared -fvisibility=hidden $define -Ifaces/$face -Ifaces -o "$to/$name" \
		faces/*.c faces/$face/*.c -Wl,-soname,$name -ldl -pthread
	${CC:-cc} -std=gnu11 $flags -fPIC -shared -DWEFT_FACE $define -Ifaces/$face -o "$to/$fort" fortran/*.c -Wl,-soname,$fort -L"$to" -l:$name
done
ln -sf libmpich.so.12 "$prefix/lib/weft/mpich/libmpi.so.12"
fortran=${FC:-gfortran}
if command -v "$fortran" >/dev/null 2>&1; then
	modules=$(mktemp -d)
	(cd "$modules" && "$fortran" -c "$here/fortran/mpi.f90") # every compiler writes modules where it runs
	cp "$modules"/*.mod "$prefix/include/"
	rm -r "$modules"
else
	echo "there is no $fortran: Fortran programs may include mpif.h; for \"use mpi\" install again with FC=, a Fortran compiler" >&2
fi
test -z "$tool" || wait "$tool"
cp bin/mpicc bin/mpiexec "$prefix/bin/"
for name in mpicxx mpic++ mpiCC mpifort mpif90 mpif77; do ln -sf mpicc "$prefix/bin/$name"; done
ln -sf mpiexec "$prefix/bin/mpirun"
cat >"$prefix/lib/pkgconfig/weft-mpi.pc" <<END
prefix=$prefix
Name: weft-mpi
Description: MPI 5.0 in C, by Weft
Version: 5.0
Cflags: -I\${prefix}/include
Libs: -L\${prefix}/lib -Wl,-rpath,\${prefix}/lib -lmpi_abi
END

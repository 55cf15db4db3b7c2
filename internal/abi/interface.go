package abi

import (
	"unsafe"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// chapterInterface tells about the binary interface itself.
var chapterInterface = map[string]row{
	"Abi_get_version": {do: abiVersion, always: true}, "Abi_get_info": {do: abiInfo, always: true},
	"Abi_get_fortran_info": {do: fortranInfo, always: true}, "Abi_set_fortran_info": {do: setFortranInfo, always: true},
	"Abi_get_fortran_booleans": {do: fortranBooleans, always: true}, "Abi_set_fortran_booleans": {do: setFortranBooleans, always: true},
}

// fortran is what a Fortran library has told of its compiler.
type fortran struct {
	info  *info
	size  int // of a logical; 0: nothing was told
	truth [2][]byte
}

func abiVersion(c call) error {
	if err := c.outs(0, 1); err != nil {
		return err
	}
	c.setInt(0, spec.ABI_VERSION)
	c.setInt(1, spec.ABI_SUBVERSION)
	return nil
}

func abiInfo(c call) error {
	o := newInfo()
	o.set("mpi_aint_size", itoa(int(unsafe.Sizeof(uintptr(0)))))
	o.set("mpi_count_size", "8")
	o.set("mpi_offset_size", "8")
	return c.newInfoAt(0, o)
}

// fortranInfo is Abi_get_fortran_info; MPI_INFO_NULL as long as nobody has set one.
func fortranInfo(c call) error {
	if err := c.outs(0); err != nil {
		return err
	}
	c.p.mu.Lock()
	o := c.p.fortran.info
	c.p.mu.Unlock()
	if o == nil {
		c.setHandle(0, spec.INFO_NULL)
		return nil
	}
	return c.newInfoAt(0, o.clone())
}

func setFortranInfo(c call) error {
	o, err := c.info(0)
	if err != nil {
		return err
	}
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	if c.p.fortran.info != nil {
		return bad(spec.ERR_ABI, "the information on Fortran has been set already")
	}
	c.p.fortran.info = o.clone()
	return nil
}

// fortranBooleans is Abi_get_fortran_booleans: size, true, false, flag.
func fortranBooleans(c call) error {
	if err := c.outs(3); err != nil {
		return err
	}
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	f := &c.p.fortran
	if f.size == 0 {
		c.setFlag(3, false)
		return nil
	}
	if c.int(0) != f.size {
		return bad(spec.ERR_ARG, "logicals of %d bytes are known, not of %d", f.size, c.int(0))
	}
	for i, value := range f.truth {
		b, err := c.bytesAt(1+i, f.size)
		if err != nil {
			return err
		}
		copy(b, value)
	}
	c.setFlag(3, true)
	return nil
}

// setFortranBooleans is Abi_set_fortran_booleans: size, true, false.
func setFortranBooleans(c call) error {
	size := c.int(0)
	switch size {
	case 1, 2, 4, 8, 16:
	default:
		return bad(spec.ERR_ARG, "a logical of %d bytes", size)
	}
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	f := &c.p.fortran
	if f.size != 0 {
		return bad(spec.ERR_ABI, "the values of Fortran's logicals have been set already")
	}
	var truth [2][]byte
	for i := range truth {
		b, err := c.bytesAt(1+i, size)
		if err != nil {
			return err
		}
		truth[i] = append([]byte(nil), b...)
	}
	f.size, f.truth = size, truth
	return nil
}

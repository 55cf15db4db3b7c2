package abi

import (
	"slices"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/weft-mpi/weft/internal/abi/spec"
	"github.com/weft-mpi/weft/internal/comm"
)

// Attributes are pointers that programs hang on communicators, datatypes and windows, by keys that they make.

// keyval is a key: for objects of one kind, with the functions that copy and delete values.
type keyval struct {
	kind         kind
	copy, delete uintptr // functions of C's, or constants
	extra        uintptr
}

// keyvals are the keys of a process. One that is freed stays until no object has it.
type keyvals struct {
	mu   sync.Mutex
	next int
	all  map[int]*keyval
	free map[int]bool
}

// firstKeyval is above the predefined keys.
const firstKeyval = 1024

func (k *keyvals) init() { k.next, k.all, k.free = firstKeyval, map[int]*keyval{}, map[int]bool{} }

// attributes are the values of an object, in the order in which they were set.
type attributes struct {
	mu   sync.Mutex
	keys []int
	all  map[int]uintptr
}

// chapterAttributes has keys and attributes.
var chapterAttributes = map[string]row{
	"Comm_create_keyval": {do: createKeyval(commKind)}, "Type_create_keyval": {do: createKeyval(typeKind)}, "Win_create_keyval": {do: createKeyval(winKind)},
	"Keyval_create":    {do: createKeyval(commKind)},
	"Comm_free_keyval": {do: freeKeyval}, "Type_free_keyval": {do: freeKeyval}, "Win_free_keyval": {do: freeKeyval}, "Keyval_free": {do: freeKeyval},
	"Comm_set_attr": {do: setAttr}, "Type_set_attr": {do: setAttr}, "Win_set_attr": {do: setAttr}, "Attr_put": {do: setAttr},
	"Comm_get_attr": {do: getAttr}, "Type_get_attr": {do: getAttr}, "Win_get_attr": {do: getAttr}, "Attr_get": {do: getAttr},
	"Comm_delete_attr": {do: deleteAttr}, "Type_delete_attr": {do: deleteAttr}, "Win_delete_attr": {do: deleteAttr}, "Attr_delete": {do: deleteAttr},
}

// The constants that stand for functions.
const (
	nullFn = 0
	dupFn  = 1
)

func createKeyval(k kind) handler {
	return func(c call) error {
		if err := c.outs(2); err != nil {
			return err
		}
		v := &c.p.keyvals
		v.mu.Lock()
		defer v.mu.Unlock()
		v.all[v.next] = &keyval{k, c.word(0), c.word(1), c.word(3)}
		c.setInt(2, v.next)
		v.next++
		return nil
	}
}

// find returns a key that attributes may be set by.
func (k *keyvals) find(number int, of kind, freed bool) (*keyval, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	v := k.all[number]
	if v == nil || v.kind != of || k.free[number] && !freed {
		return nil, bad(spec.ERR_KEYVAL, "%d is no key for this kind of object", number)
	}
	return v, nil
}

func freeKeyval(c call) error {
	p, err := c.out(0)
	if err != nil {
		return err
	}
	number := int(*(*int32)(p))
	v := &c.p.keyvals
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.all[number] == nil {
		return bad(spec.ERR_KEYVAL, "%d is no key that can be freed", number)
	}
	v.free[number] = true
	c.setInt(0, spec.KEYVAL_INVALID)
	return nil
}

// attributed finds the attributes of argument 0.
func (c call) attributed() (kind, uintptr, *attributes, error) {
	switch c.f.Args[0].Kind {
	case "comm":
		cm, err := c.comm(0)
		if err != nil {
			return 0, 0, nil, err
		}
		return commKind, cm.handle, &cm.attributes, nil
	case "type":
		t, err := c.datatype(0)
		if err != nil {
			return 0, 0, nil, err
		}
		return typeKind, t.handle, &t.attributes, nil
	}
	w, err := c.win(0)
	if err != nil {
		return 0, 0, nil, err
	}
	return winKind, w.handle, &w.attributes, nil
}

// setAttr is ..._set_attr: object, key, value. A value that was there is deleted first.
func setAttr(c call) error {
	k, h, a, err := c.attributed()
	if err != nil {
		return err
	}
	key := c.int(1)
	if isPredefined(key) {
		return bad(spec.ERR_KEYVAL, "key %d is the library's", key)
	}
	v, err := c.p.keyvals.find(key, k, false)
	if err != nil {
		return err
	}
	if old, found := a.get(key); found {
		if err := c.p.callDelete(v, h, key, old); err != nil {
			return err
		}
	}
	a.set(key, c.word(2))
	return nil
}

func isPredefined(key int) bool {
	return key >= spec.TAG_UB && key <= spec.UNIVERSE_SIZE || key >= spec.WIN_BASE && key <= spec.WIN_MODEL
}

// getAttr is ..._get_attr: object, key, pointer to the value, flag.
func getAttr(c call) error {
	k, h, a, err := c.attributed()
	if err != nil {
		return err
	}
	if err := c.outs(2, 3); err != nil {
		return err
	}
	key := c.int(1)
	if isPredefined(key) {
		value, found := c.p.predefinedAttr(k, h, key)
		if found {
			c.setHandle(2, value)
		}
		c.setFlag(3, found)
		return nil
	}
	if _, err := c.p.keyvals.find(key, k, true); err != nil {
		return err
	}
	value, found := a.get(key)
	if found {
		c.setHandle(2, value)
	}
	c.setFlag(3, found)
	return nil
}

func deleteAttr(c call) error {
	k, h, a, err := c.attributed()
	if err != nil {
		return err
	}
	key := c.int(1)
	v, err := c.p.keyvals.find(key, k, true)
	if err != nil {
		return err
	}
	value, found := a.get(key)
	if !found {
		return nil
	}
	if err := c.p.callDelete(v, h, key, value); err != nil {
		return err
	}
	a.remove(key)
	return nil
}

func (a *attributes) get(key int) (uintptr, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	v, found := a.all[key]
	return v, found
}

func (a *attributes) set(key int, value uintptr) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.all == nil {
		a.all = map[int]uintptr{}
	}
	if _, found := a.all[key]; !found {
		a.keys = append(a.keys, key)
	}
	a.all[key] = value
}

func (a *attributes) remove(key int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.all, key)
	a.keys = slices.DeleteFunc(a.keys, func(k int) bool { return k == key })
}

// list is the keys, in the order in which they were set.
func (a *attributes) list() []int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.keys)
}

// callDelete has a key's function delete a value.
func (p *Proc) callDelete(v *keyval, h uintptr, key int, value uintptr) error {
	if v.delete < firstPage {
		return nil
	}
	return codeError(p.cfg.Hooks.Delete(v.delete, h, key, value, v.extra), "the function that deletes an attribute")
}

// codeError is the error of a function of the program's that has returned a code.
func codeError(code int, what string) error {
	if code == spec.SUCCESS {
		return nil
	}
	return bad(code, "%s returned %d", what, code)
}

// copyAttributes copies attributes to a new object, as their keys say.
func (p *Proc) copyAttributes(k kind, h uintptr, from, to *attributes) error {
	for _, key := range from.list() {
		v, err := p.keyvals.find(key, k, true)
		if err != nil {
			return err
		}
		value, found := from.get(key)
		switch {
		case !found || v.copy == nullFn:
			continue
		case v.copy == dupFn:
			to.set(key, value)
			continue
		}
		copied, flag, code := p.cfg.Hooks.Copy(v.copy, h, key, v.extra, value)
		if err := codeError(code, "the function that copies an attribute"); err != nil {
			return err
		}
		if flag {
			to.set(key, copied)
		}
	}
	return nil
}

// deleteAttributes deletes all, the last one first.
func (p *Proc) deleteAttributes(k kind, h uintptr, a *attributes) error {
	keys := a.list()
	slices.Reverse(keys)
	for _, key := range keys {
		value, found := a.get(key)
		v, err := p.keyvals.find(key, k, true)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		if err := p.callDelete(v, h, key, value); err != nil {
			return err
		}
		a.remove(key)
	}
	return nil
}

// predefinedAttr is the value of a predefined attribute: for numbers a pointer to one, in C's memory.
func (p *Proc) predefinedAttr(k kind, h uintptr, key int) (uintptr, bool) {
	switch i := key - spec.TAG_UB; {
	case k == winKind:
		return p.windowAttr(h, key)
	case k == commKind && i >= 0 && i < len(p.cells):
		return uintptr(unsafe.Pointer(&p.cells[i])), true
	}
	return 0, false
}

// setCells fills in the values of predefined attributes.
func (p *Proc) setCells() error {
	if p.cells == nil {
		mem, err := foreignMemory(int(unsafe.Sizeof(int32(0))) * (spec.UNIVERSE_SIZE - spec.TAG_UB + 1))
		if err != nil {
			return err
		}
		p.cells = unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(mem))), spec.UNIVERSE_SIZE-spec.TAG_UB+1)
	}
	for key, value := range map[int]int{
		spec.TAG_UB: comm.MaxTag, spec.IO: spec.ANY_SOURCE, spec.HOST: spec.PROC_NULL, spec.WTIME_IS_GLOBAL: 0,
		spec.APPNUM: 0, spec.LASTUSEDCODE: spec.ERR_LASTCODE, spec.UNIVERSE_SIZE: p.world.c.Size(),
	} {
		p.cells[key-spec.TAG_UB] = int32(value)
	}
	return nil
}

// foreignMemory is zeroed memory outside of Go's heap, for C to keep.
func foreignMemory(n int) ([]byte, error) {
	return unix.Mmap(-1, 0, max(n, 1), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
}

package abi

import (
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/weft-mpi/weft/internal/abi/spec"
)

// info is an info object: keys with values, in the order in which they were set.
type info struct {
	mu   sync.Mutex
	keys []string
	all  map[string]string
}

func newInfo() *info { return &info{all: map[string]string{}} }

// chapterInfo has info objects.
var chapterInfo = map[string]row{
	"Info_create": {do: createInfo, always: true}, "Info_create_env": {do: createInfo, always: true}, "Info_free": {do: freeInfo, always: true}, "Info_dup": {do: dupInfo, always: true},
	"Info_set": {do: setInfo, always: true}, "Info_delete": {do: deleteInfo, always: true}, "Info_get": {do: getInfo, always: true}, "Info_get_string": {do: getInfoString, always: true},
	"Info_get_valuelen": {do: getInfoLength, always: true}, "Info_get_nkeys": {do: countInfo, always: true}, "Info_get_nthkey": {do: nthInfo, always: true},
	"Comm_set_info": {do: setObjectInfo}, "Win_set_info": {do: setObjectInfo}, "Comm_get_info": {do: getObjectInfo}, "Win_get_info": {do: getObjectInfo},
}

func (o *info) set(key, value string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, found := o.all[key]; !found {
		o.keys = append(o.keys, key)
	}
	o.all[key] = value
}

// get returns the value of a key; a nil info has none.
func (o *info) get(key string) (string, bool) {
	if o == nil {
		return "", false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	v, found := o.all[key]
	return v, found
}

// clone is a copy; of nil, an empty one.
func (o *info) clone() *info {
	d := newInfo()
	if o == nil {
		return d
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, k := range o.keys {
		d.set(k, o.all[k])
	}
	return d
}

// info is argument i, an info object.
func (c call) info(i int) (*info, error) {
	h := c.word(i)
	if h == spec.INFO_ENV {
		return c.p.environment(), nil
	}
	if o := c.p.infos.get(h); o != nil {
		return o, nil
	}
	return nil, bad(spec.ERR_INFO, "0x%x is no info object, or it has been freed", h)
}

// optionalInfo is argument i, an info object or MPI_INFO_NULL, which is nil.
func (c call) optionalInfo(i int) (*info, error) {
	if c.word(i) == spec.INFO_NULL {
		return nil, nil
	}
	return c.info(i)
}

// environment is MPI_INFO_ENV: how the program was started.
func (p *Proc) environment() *info {
	o := newInfo()
	if len(os.Args) > 0 {
		o.set("command", os.Args[0])
		o.set("argv", strings.Join(os.Args[1:], " "))
	}
	if host, err := os.Hostname(); err == nil {
		o.set("host", host)
	}
	if dir, err := os.Getwd(); err == nil {
		o.set("wdir", dir)
	}
	o.set("thread_level", "MPI_THREAD_MULTIPLE")
	return o
}

// newInfoAt gives an info object a handle, and returns that by argument i.
func (c call) newInfoAt(i int, o *info) error {
	if err := c.outs(i); err != nil {
		return err
	}
	h, err := c.p.infos.add(o)
	if err == nil {
		c.setHandle(i, h)
	}
	return err
}

func createInfo(c call) error {
	if c.f.Name == "Info_create_env" {
		return c.newInfoAt(2, c.p.environment())
	}
	return c.newInfoAt(0, newInfo())
}

func freeInfo(c call) error {
	h, err := c.handleAt(0)
	if err != nil {
		return err
	}
	if c.p.infos.remove(h) == nil {
		return bad(spec.ERR_INFO, "0x%x is no info object that can be freed", h)
	}
	c.setHandle(0, spec.INFO_NULL)
	return nil
}

func dupInfo(c call) error {
	o, err := c.info(0)
	if err != nil {
		return err
	}
	return c.newInfoAt(1, o.clone())
}

// key is argument i, a key.
func (c call) key(i int) (string, error) {
	key, err := c.text(i)
	if err == nil && (key == "" || len(key) >= spec.MAX_INFO_KEY) {
		err = bad(spec.ERR_INFO_KEY, "a key has 1 to %d bytes, this one has %d", spec.MAX_INFO_KEY-1, len(key))
	}
	return key, err
}

func setInfo(c call) error {
	o, err := c.info(0)
	if err != nil {
		return err
	}
	key, err := c.key(1)
	if err != nil {
		return err
	}
	value, err := c.text(2)
	if err != nil {
		return err
	}
	if len(value) >= spec.MAX_INFO_VAL {
		return bad(spec.ERR_INFO_VALUE, "the value has %d bytes; at most %d are kept", len(value), spec.MAX_INFO_VAL-1)
	}
	if c.word(0) == spec.INFO_ENV {
		return bad(spec.ERR_INFO, "MPI_INFO_ENV cannot be changed")
	}
	o.set(key, value)
	return nil
}

func deleteInfo(c call) error {
	o, err := c.info(0)
	if err != nil {
		return err
	}
	key, err := c.key(1)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, found := o.all[key]; !found {
		return bad(spec.ERR_INFO_NOKEY, "there is no key %q", key)
	}
	delete(o.all, key)
	o.keys = slices.DeleteFunc(o.keys, func(k string) bool { return k == key })
	return nil
}

// getInfo is Info_get: info, key, length without the zero, value, flag.
func getInfo(c call) error {
	value, found, err := c.lookUp(4)
	if err != nil || !found {
		return err
	}
	n := c.int(2)
	if n < 0 {
		return bad(spec.ERR_ARG, "valuelen is %d", n)
	}
	if err := c.outs(3); err != nil {
		return err
	}
	c.setText(3, -1, n+1, value)
	return nil
}

// lookUp finds the value of a key, arguments 0 and 1, and says by an argument whether it is there.
func (c call) lookUp(flag int) (string, bool, error) {
	o, err := c.info(0)
	if err != nil {
		return "", false, err
	}
	key, err := c.key(1)
	if err != nil {
		return "", false, err
	}
	if err := c.outs(flag); err != nil {
		return "", false, err
	}
	value, found := o.get(key)
	c.setFlag(flag, found)
	return value, found, nil
}

// getInfoString is Info_get_string: info, key, room with the zero, which becomes what is needed, value, flag.
func getInfoString(c call) error {
	value, found, err := c.lookUp(4)
	if err != nil || !found {
		return err
	}
	at, err := c.out(2)
	if err != nil {
		return err
	}
	room := int(*(*int32)(at))
	if room > 0 {
		if err := c.outs(3); err != nil {
			return err
		}
		c.setText(3, -1, room, value)
	}
	c.setInt(2, len(value)+1)
	return nil
}

// getInfoLength is Info_get_valuelen: info, key, length, flag.
func getInfoLength(c call) error {
	value, found, err := c.lookUp(3)
	if found {
		c.setInt(2, len(value))
	}
	return err
}

func countInfo(c call) error {
	o, err := c.info(0)
	if err != nil {
		return err
	}
	if err := c.outs(1); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	c.setInt(1, len(o.keys))
	return nil
}

func nthInfo(c call) error {
	o, err := c.info(0)
	if err != nil {
		return err
	}
	if err := c.outs(2); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	n := c.int(1)
	if n < 0 || n >= len(o.keys) {
		return bad(spec.ERR_ARG, "key %d of %d", n, len(o.keys))
	}
	c.setText(2, -1, spec.MAX_INFO_KEY, o.keys[n])
	return nil
}

// infoOf is where argument 0, a communicator or a window, keeps its hints.
func (c call) infoOf() (**info, error) {
	if c.f.Args[0].Kind == "comm" {
		cm, err := c.comm(0)
		if err != nil {
			return nil, err
		}
		return &cm.info, nil
	}
	w, err := c.win(0)
	if err != nil {
		return nil, err
	}
	return &w.info, nil
}

// setObjectInfo notes hints. None of them changes anything.
func setObjectInfo(c call) error {
	at, err := c.infoOf()
	if err != nil {
		return err
	}
	o, err := c.optionalInfo(1)
	if err != nil {
		return err
	}
	hints := (*at).clone()
	if o != nil {
		for _, key := range o.clone().keys {
			value, _ := o.get(key)
			hints.set(key, value)
		}
	}
	*at = hints
	return nil
}

func getObjectInfo(c call) error {
	at, err := c.infoOf()
	if err != nil {
		return err
	}
	return c.newInfoAt(1, (*at).clone())
}

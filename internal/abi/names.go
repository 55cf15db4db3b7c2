package abi

import (
	"github.com/weft-mpi/weft/internal/abi/spec"
)

// chapterNames names objects.
var chapterNames = map[string]row{
	"Comm_set_name": {do: setName}, "Type_set_name": {do: setName}, "Win_set_name": {do: setName},
	"Comm_get_name": {do: getName}, "Type_get_name": {do: getName}, "Win_get_name": {do: getName},
}

// named finds the name of argument 0. of is the communicator that reports call by it; nil for datatypes.
func (c call) named() (name *string, report func(string), err error) {
	switch c.f.Args[0].Kind {
	case "comm":
		if c.word(0) == spec.COMM_NULL && c.f.Name == "Comm_get_name" {
			null := "MPI_COMM_NULL"
			return &null, nil, nil
		}
		cm, err := c.comm(0)
		if err != nil {
			return nil, nil, err
		}
		return &cm.name, cm.c.SetName, nil
	case "type":
		if c.word(0) == spec.DATATYPE_NULL && c.f.Name == "Type_get_name" {
			null := "MPI_DATATYPE_NULL"
			return &null, nil, nil
		}
		t, err := c.datatype(0)
		if err != nil {
			return nil, nil, err
		}
		return &t.name, nil, nil
	}
	if c.word(0) == spec.WIN_NULL && c.f.Name == "Win_get_name" {
		null := "MPI_WIN_NULL"
		return &null, nil, nil
	}
	w, err := c.win(0)
	if err != nil {
		return nil, nil, err
	}
	return &w.name, w.w.Comm().SetName, nil
}

func setName(c call) error {
	name, report, err := c.named()
	if err != nil {
		return err
	}
	text, err := c.text(1)
	if err != nil {
		return err
	}
	if len(text) >= spec.MAX_OBJECT_NAME {
		text = text[:spec.MAX_OBJECT_NAME-1]
	}
	*name = text
	if report != nil && text != "" {
		report(text)
	}
	return nil
}

func getName(c call) error {
	name, _, err := c.named()
	if err != nil {
		return err
	}
	if err := c.outs(1, 2); err != nil {
		return err
	}
	c.setText(1, 2, spec.MAX_OBJECT_NAME, *name)
	return nil
}

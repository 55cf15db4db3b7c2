package model

// Names lists the numbers of a machine, in the order in which they are shown.
func Names() (names []string) {
	for _, n := range numbers {
		names = append(names, n.Name)
	}
	return names
}

// Number returns the place of a number, nil if none has the name.
func (m *Machine) Number(name string) *float64 {
	if n := find(name); n != nil {
		return n.of(m)
	}
	return nil
}

// Shown returns a number as people see it and Parse reads it, its unit and what it means.
func (m *Machine) Shown(name string) (value float64, unit, text string) {
	n := find(name)
	if n == nil {
		return 0, "", ""
	}
	return n.value(m), n.Unit, n.Text
}

func find(name string) *number {
	for i := range numbers {
		if numbers[i].Name == name {
			return &numbers[i]
		}
	}
	return nil
}

package main

import (
	"fmt"
	"maps"
	"slices"
)

// state has the objects of a test: those of the port by id, and those already compared.
type state struct {
	port          Port
	before, after map[string]Fields
	objects       map[string]Value
	compared      map[string]bool
}

func run(test Fields, port Port) (verdict, reason string) {
	s := state{port, map[string]Fields{}, map[string]Fields{}, map[string]Value{}, map[string]bool{}}
	for name, all := range map[string]map[string]Fields{"objects": s.before, "objects_after": s.after} {
		for _, o := range list(test[name]) {
			all[fmt.Sprint(o.(Fields)["id"])] = o.(Fields)
		}
	}
	defer func() {
		if why := recover(); why != nil {
			verdict, reason = "FAILED", fmt.Sprintf(" (%v)", why)
			if _, ok := why.(notRun); ok {
				verdict = "not run"
			}
		}
	}()
	if len(list(test["answers"])) > 0 {
		panic(notRun("it needs the answers of external code or of a mock"))
	}
	unit, args := s.unit(test["unit"]), []Value{}
	for _, input := range list(test["inputs"]) {
		args = append(args, s.value(input.(Fields)["value"]))
	}
	got, output, halt := called(func() Value { return unit(args...) })
	if halt != nil {
		check("returns", test["outcome"] != "returns", true, fmt.Sprintf("panic %v", halt))
		return "passed", ""
	}
	check("halt", test["outcome"], test["outcome"] != "halts", "it returns")
	wanted, results := list(test["results"]), Seq{got}
	if len(wanted) > 1 {
		results = got.(Seq)
	}
	for i, want := range wanted {
		s.compare(want.(Fields)["value"], results[i], want.(Fields)["name"].(string))
	}
	for _, id := range slices.Sorted(maps.Keys(s.after)) {
		s.state(id, "object "+id)
	}
	if want, ok := test["output"]; ok {
		equal(want, output, "output")
	}
	return "passed", ""
}

func (s *state) unit(path Value) Unit {
	if unit := s.port.Find(fmt.Sprint(path)); unit != nil {
		return unit
	}
	panic(notRun(fmt.Sprintf("the port has no unit %v", path)))
}

// create makes an object of the test, with those that it needs.
func (s *state) create(o Fields) Value {
	id, fields := fmt.Sprint(o["id"]), object(o["fields"])
	class := s.port.Classes[fmt.Sprint(o["class"])]
	if lengths, ok := o["array"]; ok {
		array := &Array{}
		s.objects[id] = array // It is there before its elements, which may refer to it.
		for _, n := range list(lengths) {
			array.Lengths = append(array.Lengths, int(number(n).Int64()))
		}
		array.Elements = s.values(o["elements"])
	} else if by := object(o["made_by"]); by != nil {
		made := s.unit(by["unit"])(s.values(by["args"])...)
		s.objects[id] = made
		for _, call := range list(by["then"]) {
			s.unit(object(call)["unit"])(append(Seq{made}, s.values(object(call)["args"])...)...)
		}
		for name, v := range fields { // Objects that the calls created.
			if ref, ok := object(v)["ref"]; ok && class.Read != nil && s.objects[fmt.Sprint(ref)] == nil {
				s.objects[fmt.Sprint(ref)] = class.Read(made)[name]
			}
		}
	} else if class.Create != nil {
		s.objects[id] = class.Create(s.fields(fields))
	} else {
		panic(notRun(fmt.Sprintf("the port cannot create objects of %v%v", o["class"], o["trait"])))
	}
	return s.objects[id]
}

func (s *state) compare(want, got Value, place string) {
	kind, of := kind(want)
	switch kind {
	case "any", "function":
	case "newtype":
		s.compare(object(want)["value"], got, place)
	case "ref":
		id := fmt.Sprint(of)
		if s.objects[id] == nil {
			s.objects[id] = got
		}
		for other, o := range s.objects {
			check("another object", got, (o == got) == (other == id), place)
		}
		s.state(id, place)
	case "constructor":
		data := got.(Data)
		equal(of, data.Constructor, place)
		for name, v := range object(object(want)["fields"]) {
			s.compare(v, data.Fields[name], place+"."+name)
		}
	case "seq", "tuple":
		elements := got.(Seq)
		equal(len(list(of)), len(elements), "length of "+place)
		for i, v := range list(of) {
			s.compare(v, elements[i], fmt.Sprintf("%s[%d]", place, i))
		}
	default:
		equal(s.value(want), got, place)
	}
}

// state compares an object with its state after the call.
func (s *state) state(id, place string) {
	o, got := s.after[id], s.objects[id]
	if s.compared[id] || got == nil {
		return
	}
	s.compared[id] = true
	if array, ok := got.(*Array); ok {
		s.compare(Fields{"seq": o["elements"]}, array.Elements, place)
	} else if class := s.port.Classes[fmt.Sprint(o["class"])]; class.Read != nil {
		fields := class.Read(got)
		for name, v := range object(o["fields"]) {
			s.compare(v, fields[name], place+"."+name)
		}
	}
}

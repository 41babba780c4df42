package main

import (
	"fmt"
	"math/big"
)

func list(v Value) []Value {
	all, _ := v.([]any)
	return all
}

func object(v Value) Fields {
	fields, _ := v.(Fields)
	return fields
}

func number(v Value) *big.Int {
	n, _ := new(big.Int).SetString(fmt.Sprint(v), 10)
	return n
}

// kind returns the tag of a value in JSON, with its content; plain values have none.
func kind(v Value) (string, Value) {
	for _, kind := range []string{"char", "chars", "real", "bv", "ordinal", "seq", "tuple", "set", "multiset", "map",
		"newtype", "ref", "function", "constructor", "any"} {
		if of, ok := object(v)[kind]; ok {
			return kind, of
		}
	}
	return "", v
}

func check(want, got Value, holds bool, place string) {
	if !holds {
		panic(fmt.Sprintf("%s: %v instead of %v", place, got, want))
	}
}

func equal(want, got Value, place string) {
	wantText, gotText := fmt.Sprintf("%T %s", want, Key(want)), fmt.Sprintf("%T %s", got, Key(got))
	check(wantText, gotText, wantText == gotText, place)
}

// values converts a list of JSON.
func (s *state) values(all Value) Seq {
	values := Seq{}
	for _, v := range list(all) {
		values = append(values, s.value(v))
	}
	return values
}

func (s *state) fields(all Fields) Fields {
	fields := Fields{}
	for name, v := range all {
		fields[name] = s.value(v)
	}
	return fields
}

func (s *state) pairs(all Value) Pairs {
	pairs := Pairs{}
	for _, p := range list(all) {
		pairs = append(pairs, [2]Value{s.value(list(p)[0]), s.value(list(p)[1])})
	}
	return pairs
}

// value converts a value of JSON to one of the port.
func (s *state) value(v Value) Value {
	switch v := v.(type) {
	case bool, nil:
		return v
	case []any:
		return s.values(v)
	}
	kind, of := kind(v)
	switch kind {
	case "":
		return number(v)
	case "char":
		return string(rune(number(of).Int64()))
	case "chars":
		text := []rune{}
		for _, c := range list(of) {
			text = append(text, rune(number(c).Int64()))
		}
		return string(text)
	case "real":
		return new(big.Rat).SetFrac(number(list(of)[0]), number(list(of)[1]))
	case "bv", "ordinal":
		return number(of)
	case "seq", "tuple":
		return s.values(of)
	case "set":
		return Set(s.values(of))
	case "multiset", "map":
		return s.pairs(of)
	case "newtype":
		return s.value(object(v)["value"])
	case "ref":
		if found, ok := s.objects[fmt.Sprint(of)]; ok {
			return found
		}
		return s.create(s.before[fmt.Sprint(of)])
	case "function":
		return s.function(object(of))
	case "constructor":
		return Data{of.(string), s.fields(object(object(v)["fields"]))}
	}
	return nil // Anything may stand here.
}

func (s *state) function(f Fields) Unit {
	if law, ok := f["law"].(string); ok {
		return laws[law]
	}
	if partial := object(f["partial"]); partial != nil {
		return s.function(partial)
	}
	if unit, ok := f["unit"]; ok {
		first := Seq{}
		if receiver, ok := f["receiver"]; ok {
			first = append(first, s.value(receiver))
		}
		return func(args ...Value) Value { return s.unit(unit)(append(first, args...)...) }
	}
	rows := s.pairs(f["table"])
	return func(args ...Value) Value {
		for _, row := range rows {
			if Key(row[0]) == Key(Seq(args)) {
				return row[1]
			}
		}
		return s.value(f["default"])
	}
}

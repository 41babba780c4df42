// Package main runs the test vectors of `cargo dtest gen --emit vectors` on a port: RunFiles(files, port).
//
// Values: bool, nil, *big.Int (int, bv, ordinal), *big.Rat, string (char, seq<char>), Seq (seq, tuple, several results),
// Set, Pairs (map, multiset), Data, Unit (functions), *Array, and pointers to objects.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"os"
	"slices"
	"strings"
)

type (
	Value  = any
	Fields = map[string]any
	Seq    []Value
	Set    []Value
	Pairs  [][2]Value // Keys or elements, with values or counts.
	Unit   = func(...Value) Value
	Data   struct {
		Constructor string
		Fields      Fields
	}
	Array struct { // The elements are in row-major order.
		Lengths  []int
		Elements Seq
	}
	Class struct { // Create makes objects that no calls lead to, and may be nil.
		Read   func(Value) Fields
		Create func(Fields) Value
	}
	Port struct { // Find returns a unit, or nil; a constructor returns its object.
		Find    func(string) Unit
		Classes map[string]Class
	}
	notRun string // The port lacks something that the test needs.
)

var compare = func(a, b Value) int { return a.(*big.Int).Cmp(b.(*big.Int)) }
var sum = func(ns ...Value) Value {
	total := new(big.Int)
	for _, n := range ns {
		total.Add(total, n.(*big.Int))
	}
	return total
}
var laws = map[string]Unit{
	"identity": func(a ...Value) Value { return a[0] }, "equal": func(a ...Value) Value { return Key(a[0]) == Key(a[1]) },
	"less": func(a ...Value) Value { return compare(a[0], a[1]) < 0 }, "at most": func(a ...Value) Value { return compare(a[0], a[1]) <= 0 },
	"add": sum, "mix": func(a ...Value) Value { return sum(a[0], a[0], a[1]) }, "odd": func(a ...Value) Value { return a[0].(*big.Int).Bit(0) == 1 },
	"successor": func(a ...Value) Value { return sum(a[0], big.NewInt(1)) },
}

// Key returns the text of a value, which is equal for equal values.
func Key(v Value) string {
	parts := []string{}
	switch v := v.(type) {
	case Seq:
		for _, e := range v {
			parts = append(parts, Key(e))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case Set:
		for _, e := range v {
			parts = append(parts, Key(e))
		}
		slices.Sort(parts)
		return "{" + strings.Join(slices.Compact(parts), ",") + "}"
	case Pairs:
		for _, p := range v {
			parts = append(parts, Key(p[0])+":"+Key(p[1]))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ",") + "}"
	case Data:
		for name, f := range v.Fields {
			parts = append(parts, name+"="+Key(f))
		}
		slices.Sort(parts)
		return v.Constructor + "(" + strings.Join(parts, ",") + ")"
	case string:
		return fmt.Sprintf("%q", v)
	case nil, bool, *big.Int, *big.Rat:
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("%p", v)
}

// RunFiles runs all tests and returns the exit code.
func RunFiles(files []string, port Port) int {
	counts := map[string]int{}
	for _, path := range files {
		text, err := os.ReadFile(path)
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, 1<<28)
		for first := true; err == nil && lines.Scan(); first = false {
			test, decoder := Fields{}, json.NewDecoder(bytes.NewReader(lines.Bytes()))
			decoder.UseNumber()
			if err = decoder.Decode(&test); err == nil && first && fmt.Sprint(test["schema"]) != "1" {
				err = fmt.Errorf("%s: this runner reads schema 1", path)
			} else if err == nil && !first {
				verdict, reason := run(test, port)
				counts[verdict]++
				fmt.Printf("%s: %s%s\n", test["test"], verdict, reason)
			}
		}
		if err != nil {
			fmt.Println(err)
			return 1
		}
	}
	fmt.Printf("%d passed, %d failed, %d not run\n", counts["passed"], counts["FAILED"], counts["not run"])
	if counts["FAILED"] > 0 || counts["passed"] == 0 {
		return 1
	}
	return 0
}

// called calls a function, and returns its result, what it prints, and its panic.
func called(f func() Value) (result Value, output string, halt any) {
	stdout := os.Stdout
	read, write, _ := os.Pipe()
	text := make(chan string)
	go func() { all, _ := io.ReadAll(read); text <- string(all) }()
	os.Stdout = write
	defer func() {
		halt = recover()
		os.Stdout = stdout
		write.Close()
		output = <-text
	}()
	return f(), "", nil
}

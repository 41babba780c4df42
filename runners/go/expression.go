//go:build ignore

// A port of fixtures/expression, with its test vectors: `go run expression.go vectors.go state.go values.go VECTORS`.
package main

import (
	"math/big"
	"os"
)

var (
	zero, one = big.NewInt(0), big.NewInt(1)
	none      = Data{Constructor: "None"}
)

func some(v Value) Data          { return Data{"Some", Fields{"value": v}} }
func lit(n *big.Int) Data        { return Data{"Lit", Fields{"value": n}} }
func part(e Data, n string) Data { return e.Fields[n].(Data) }

func evaluate(e Data, env Pairs) Data {
	switch e.Constructor {
	case "Lit":
		return some(e.Fields["value"])
	case "Var":
		for _, pair := range env {
			if pair[0] == e.Fields["name"] {
				return some(pair[1])
			}
		}
		return none
	case "IfZero":
		cond := evaluate(part(e, "cond"), env)
		if cond.Constructor == "None" {
			return none
		}
		if cond.Fields["value"].(*big.Int).Sign() == 0 {
			return evaluate(part(e, "then_"), env)
		}
		return evaluate(part(e, "else_"), env)
	}
	left, right := evaluate(part(e, "left"), env), evaluate(part(e, "right"), env)
	if left.Constructor == "None" || right.Constructor == "None" {
		return none
	}
	a, b := left.Fields["value"].(*big.Int), right.Fields["value"].(*big.Int)
	switch e.Constructor {
	case "Add":
		return some(new(big.Int).Add(a, b))
	case "Mul":
		return some(new(big.Int).Mul(a, b))
	}
	if b.Sign() == 0 {
		return none
	}
	return some(new(big.Int).Div(a, b)) // Euclidean, as in Dafny.
}

func size(e Data) int64 {
	total := int64(1)
	for _, field := range e.Fields {
		if inner, ok := field.(Data); ok {
			total += size(inner)
		}
	}
	return total
}

// literal returns the number of a literal, or nil.
func literal(v Value) *big.Int {
	if e, ok := v.(Data); ok && e.Constructor == "Lit" {
		return e.Fields["value"].(*big.Int)
	}
	return nil
}

func is(n, wanted *big.Int) bool { return n != nil && n.Cmp(wanted) == 0 }

func simplify(e Data) Value {
	left, right := e.Fields["left"], e.Fields["right"]
	a, b := literal(left), literal(right)
	switch e.Constructor {
	case "Add", "Mul":
		unit := map[string]*big.Int{"Add": zero, "Mul": one}[e.Constructor]
		if is(a, unit) {
			return right
		}
		if is(b, unit) {
			return left
		}
		if a != nil && b != nil && e.Constructor == "Add" {
			return lit(new(big.Int).Add(a, b))
		}
		if is(a, zero) && b != nil {
			return lit(zero)
		}
	case "IfZero":
		if n := literal(e.Fields["cond"]); n != nil {
			if n.Sign() == 0 {
				return e.Fields["then_"]
			}
			return e.Fields["else_"]
		}
	}
	return e
}

func main() {
	units := map[string]Unit{
		"Expression.Eval":     func(a ...Value) Value { return evaluate(a[0].(Data), a[1].(Pairs)) },
		"Expression.Size":     func(a ...Value) Value { return big.NewInt(size(a[0].(Data))) },
		"Expression.Simplify": func(a ...Value) Value { return simplify(a[0].(Data)) },
	}
	find := func(path string) Unit { return units[path] }
	os.Exit(RunFiles(os.Args[1:], Port{Find: find}))
}

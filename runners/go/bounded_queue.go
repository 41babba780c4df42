//go:build ignore

// A port of fixtures/bounded-queue, with its test vectors: `go run bounded_queue.go vectors.go state.go values.go VECTORS`.
package main

import (
	"math/big"
	"os"
)

type queue struct {
	data        *Array
	first, size int
}

func count(n int) Value { return big.NewInt(int64(n)) }

func newQueue(args ...Value) Value {
	capacity := int(args[0].(*big.Int).Int64())
	data := &Array{Lengths: []int{capacity}}
	for range capacity {
		data.Elements = append(data.Elements, count(0))
	}
	return &queue{data: data}
}

func (q *queue) isFull() bool { return q.size == len(q.data.Elements) }

func (q *queue) enqueue(x Value) bool {
	if q.isFull() {
		return false
	}
	at := q.first + q.size
	if at >= len(q.data.Elements) {
		at -= len(q.data.Elements)
	}
	q.data.Elements[at] = x
	q.size++
	return true
}

func (q *queue) dequeue() Value {
	x := q.data.Elements[q.first]
	q.first++
	if q.first == len(q.data.Elements) {
		q.first = 0
	}
	q.size--
	return x
}

func (q *queue) wrapsAround(x Value) bool {
	behind := max(q.first+q.size-len(q.data.Elements), 0)
	for _, e := range q.data.Elements[:behind] {
		if Key(e) == Key(x) {
			return true
		}
	}
	return false
}

var units = map[string]Unit{
	"Queues.Queue._ctor":       newQueue,
	"Queues.Queue.Count":       func(a ...Value) Value { return count(a[0].(*queue).size) },
	"Queues.Queue.IsFull":      func(a ...Value) Value { return a[0].(*queue).isFull() },
	"Queues.Queue.Enqueue":     func(a ...Value) Value { return a[0].(*queue).enqueue(a[1]) },
	"Queues.Queue.Dequeue":     func(a ...Value) Value { return a[0].(*queue).dequeue() },
	"Queues.Queue.WrapsAround": func(a ...Value) Value { return a[0].(*queue).wrapsAround(a[1]) },
}

func read(object Value) Fields {
	q := object.(*queue)
	return Fields{"data": q.data, "first": count(q.first), "size": count(q.size)}
}

func create(fields Fields) Value {
	number := func(name string) int { return int(fields[name].(*big.Int).Int64()) }
	return &queue{fields["data"].(*Array), number("first"), number("size")}
}

func main() {
	find := func(path string) Unit { return units[path] }
	classes := map[string]Class{"Queues.Queue": {read, create}}
	os.Exit(RunFiles(os.Args[1:], Port{find, classes}))
}

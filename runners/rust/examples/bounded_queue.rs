//! A port of `fixtures/bounded-queue`, with its test vectors: `cargo run --example bounded_queue VECTORS`.

use vectors::{Heap, Unit, Value, field, from_int, id, int, json};

struct Queue {
    data: Vec<i128>,
    first: usize,
    size: usize,
}

impl Queue {
    fn new(capacity: usize) -> Self {
        Self { data: vec![0; capacity], first: 0, size: 0 }
    }

    fn is_full(&self) -> bool {
        self.size == self.data.len()
    }

    fn enqueue(&mut self, x: i128) -> bool {
        if self.is_full() {
            return false;
        }
        let mut at = self.first + self.size;
        if at >= self.data.len() {
            at -= self.data.len();
        }
        self.data[at] = x;
        self.size += 1;
        true
    }

    fn dequeue(&mut self) -> i128 {
        let x = self.data[self.first];
        self.first += 1;
        if self.first == self.data.len() {
            self.first = 0;
        }
        self.size -= 1;
        x
    }

    fn wraps_around(&self, x: i128) -> bool {
        let behind = (self.first + self.size).saturating_sub(self.data.len());
        self.data[..behind].contains(&x)
    }

    /// Reads a queue of the test.
    fn read(this: &Value, heap: &Heap) -> Self {
        let queue = &heap[&id(this)];
        let data = heap[&id(field(queue, "data"))]["elements"].as_array().expect("elements").iter();
        Self {
            data: data.map(|v| if v.get("any").is_some() { 0 } else { int(v) }).collect(),
            first: int(field(queue, "first")) as usize,
            size: int(field(queue, "size")) as usize,
        }
    }

    /// Writes the queue, whose array is the object `data`.
    fn write(&self, queue: u64, data: u64, heap: &mut Heap) {
        let elements: Vec<Value> = self.data.iter().map(|n| from_int(*n)).collect();
        heap.insert(data, json!({"elements": elements}));
        let fields = json!({"data": {"ref": data}, "first": self.first, "size": self.size});
        heap.insert(queue, json!({"fields": fields}));
    }
}

/// Calls a method of a queue that may change it.
fn changed(args: &[Value], heap: &mut Heap, call: impl Fn(&mut Queue) -> Value) -> Vec<Value> {
    let mut queue = Queue::read(&args[0], heap);
    let result = call(&mut queue);
    let data = id(field(&heap[&id(&args[0])], "data"));
    queue.write(id(&args[0]), data, heap);
    vec![result]
}

fn main() {
    let units: [(&str, Unit); 6] = [
        ("Queues.Queue._ctor", |args, heap| {
            Queue::new(int(&args[0]) as usize).write(1000, 1001, heap);
            vec![json!({"ref": 1000})]
        }),
        ("Queues.Queue.Count", |args, heap| vec![json!(Queue::read(&args[0], heap).size)]),
        ("Queues.Queue.IsFull", |args, heap| vec![json!(Queue::read(&args[0], heap).is_full())]),
        ("Queues.Queue.Enqueue", |args, heap| changed(args, heap, |q| json!(q.enqueue(int(&args[1]))))),
        ("Queues.Queue.Dequeue", |args, heap| changed(args, heap, |q| from_int(q.dequeue()))),
        ("Queues.Queue.WrapsAround", |args, heap| {
            vec![json!(Queue::read(&args[0], heap).wraps_around(int(&args[1])))]
        }),
    ];
    let passed = vectors::run(std::env::args().skip(1), &units);
    std::process::exit(i32::from(!passed));
}

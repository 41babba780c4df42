"""A port of fixtures/bounded-queue, with its test vectors: `python3 bounded_queue.py VECTORS`."""
import sys

import vectors


class Queue:
    def __init__(self, capacity):
        self.data = [0] * capacity
        self.first = self.size = 0

    def is_full(self):
        return self.size == len(self.data)

    def enqueue(self, x):
        if self.is_full():
            return False
        at = self.first + self.size
        if at >= len(self.data):
            at -= len(self.data)
        self.data[at] = x
        self.size += 1
        return True

    def dequeue(self):
        x = self.data[self.first]
        self.first += 1
        if self.first == len(self.data):
            self.first = 0
        self.size -= 1
        return x

    def wraps_around(self, x):
        behind = self.first + self.size - len(self.data)
        return x in self.data[:max(behind, 0)]


UNITS = {
    "Queues.Queue._ctor": Queue,
    "Queues.Queue.Count": lambda queue: queue.size,
    "Queues.Queue.IsFull": Queue.is_full,
    "Queues.Queue.Enqueue": Queue.enqueue,
    "Queues.Queue.Dequeue": Queue.dequeue,
    "Queues.Queue.WrapsAround": Queue.wraps_around,
}
CLASSES = {"Queues.Queue": (vars, lambda: Queue(0), lambda queue, fields: vars(queue).update(fields))}

if __name__ == "__main__":
    sys.exit(vectors.main(sys.argv[1:], UNITS, CLASSES))

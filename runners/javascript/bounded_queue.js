// A port of fixtures/bounded-queue, with its test vectors: `node bounded_queue.js VECTORS`.
'use strict';
const {main} = require('./vectors.js');

class Queue {
  constructor(capacity) {
    this.data = new Array(Number(capacity)).fill(0n);
    this.first = 0;
    this.size = 0;
  }

  isFull() {
    return this.size === this.data.length;
  }

  enqueue(x) {
    if (this.isFull()) return false;
    let at = this.first + this.size;
    if (at >= this.data.length) at -= this.data.length;
    this.data[at] = x;
    this.size += 1;
    return true;
  }

  dequeue() {
    const x = this.data[this.first];
    this.first += 1;
    if (this.first === this.data.length) this.first = 0;
    this.size -= 1;
    return x;
  }

  wrapsAround(x) {
    const behind = this.first + this.size - this.data.length;
    return this.data.slice(0, Math.max(behind, 0)).includes(x);
  }
}

const units = {
  'Queues.Queue._ctor': capacity => new Queue(capacity),
  'Queues.Queue.Count': queue => BigInt(queue.size),
  'Queues.Queue.IsFull': queue => queue.isFull(),
  'Queues.Queue.Enqueue': (queue, x) => queue.enqueue(x),
  'Queues.Queue.Dequeue': queue => queue.dequeue(),
  'Queues.Queue.WrapsAround': (queue, x) => queue.wrapsAround(x),
};
const classes = {
  'Queues.Queue': {
    read: queue => ({data: queue.data, first: BigInt(queue.first), size: BigInt(queue.size)}),
    make: () => new Queue(0n),
    write: (queue, {data, first, size}) => Object.assign(queue, {data, first: Number(first), size: Number(size)}),
  },
};

process.exitCode = main(process.argv.slice(2), {units, classes});

// A journal in a ring of blocks: entries that wrap around, segments that are sealed, checkpoints that free blocks, and replay after a
// crash.

datatype Option<T> = None | Some(value: T)

datatype Block = Blank | Entry(number: nat, key: int, value: int) | Mark(number: nat, upTo: nat)

datatype Status = Fine | Full | Sealed | Broken

class Journal {
  const capacity: nat
  const segment: nat
  var blocks: array<Block>
  var head: nat  // Where the next block goes.
  var used: nat  // How many blocks before the head are live.
  var next: nat  // The number of the next entry.
  var sinceSeal: nat
  var seals: nat
  var failures: nat

  ghost predicate Valid()
    reads this, blocks
  {
    && 2 <= capacity == blocks.Length
    && 0 < segment
    && head < capacity
    && used <= capacity
    && used <= next
    && sinceSeal < segment
    && failures <= 3
  }

  constructor (capacity: nat, segment: nat)
    requires capacity >= 2 && segment > 0
    ensures Valid() && fresh(blocks) && this.capacity == capacity && this.segment == segment
    ensures used == 0 && next == 0 && failures == 0 && head == 0 && sinceSeal == 0
  {
    this.capacity, this.segment := capacity, segment;
    blocks := new Block[capacity](_ => Blank);
    head, used, next, sinceSeal, seals, failures := 0, 0, 0, 0, 0, 0;
  }

  // The index of the oldest live block.
  function Tail(): nat
    requires Valid()
    reads this, blocks
    ensures Tail() < capacity
  {
    if used <= head then head - used else head + capacity - used
  }

  function At(i: nat): Block
    requires Valid() && i < used
    reads this, blocks
  {
    blocks[(Tail() + i) % capacity]
  }

  method Put(block: Block)
    requires Valid() && used < capacity
    modifies this, blocks
    ensures Valid() && blocks == old(blocks)
    ensures used == old(used) + 1 && next == old(next) + 1 && failures == old(failures)
  {
    blocks[head] := block;
    head := if head + 1 == capacity then 0 else head + 1;
    used, next := used + 1, next + 1;
  }

  // Writes an entry. One block stays free for a mark. After three attempts in a row on a full journal, it is broken until it is
  // recovered.
  method Append(key: int, value: int) returns (s: Status)
    requires Valid()
    modifies this, blocks
    ensures Valid() && blocks == old(blocks)
    ensures s == Broken <==> failures == 3
    ensures s == Full || s == Broken ==> used == old(used)
  {
    if failures == 3 {
      return Broken;
    }
    if used + 1 >= capacity {
      failures := failures + 1;
      s := if failures == 3 then Broken else Full;
      return;
    }
    Put(Entry(next, key, value));
    failures := 0;
    if sinceSeal + 1 == segment {
      sinceSeal, seals := 0, seals + 1;
      s := Sealed;
    } else {
      sinceSeal := sinceSeal + 1;
      s := Fine;
    }
  }

  // Frees the oldest blocks: all entries with numbers below `upTo`, and marks among them. A mark says so, if something was freed.
  method Checkpoint(upTo: nat) returns (freed: nat)
    requires Valid()
    modifies this, blocks
    ensures Valid() && blocks == old(blocks)
    ensures freed <= old(used)
  {
    freed := 0;
    while used > 0 && IsBelow(At(0), upTo)
      invariant Valid() && blocks == old(blocks)
      invariant freed + used == old(used)
      decreases used
    {
      blocks[Tail()] := Blank;
      used, freed := used - 1, freed + 1;
    }
    if freed > 0 {
      Put(Mark(next, upTo));
    }
  }

  static predicate IsBelow(b: Block, upTo: nat) {
    match b
    case Blank => true
    case Entry(n, _, _) => n < upTo
    case Mark(n, _) => n < upTo
  }

  // The latest value of a key among the live entries.
  method Find(key: int) returns (value: Option<int>)
    requires Valid()
  {
    value := None;
    for i := 0 to used {
      match At(i) {
        case Entry(_, k, v) =>
          if k == key {
            value := Some(v);
          }
        case _ =>
      }
    }
  }

  // The state that the live entries lead to; entries below the latest mark do not count.
  method Replay(base: map<int, int>) returns (state: map<int, int>)
    requires Valid()
  {
    var from := 0;
    for i := 0 to used {
      match At(i) {
        case Mark(_, upTo) => from := if upTo > from then upTo else from;
        case _ =>
      }
    }
    state := base;
    for i := 0 to used {
      match At(i) {
        case Entry(n, k, v) =>
          if n >= from {
            state := state[k := v];
          }
        case _ =>
      }
    }
  }

  // Takes back the latest blocks up to an entry with this number, as after a crash in the middle of a segment.
  method Rollback(number: nat) returns (taken: nat)
    requires Valid()
    modifies this, blocks
    ensures Valid() && blocks == old(blocks)
    ensures used + taken == old(used)
  {
    taken := 0;
    while used > 0 && !IsBelow(At(used - 1), number)
      invariant Valid() && blocks == old(blocks)
      invariant used + taken == old(used)
      decreases used
    {
      head := if head == 0 then capacity - 1 else head - 1;
      blocks[head] := Blank;
      used, taken, next := used - 1, taken + 1, next - 1;
      sinceSeal := if sinceSeal == 0 then 0 else sinceSeal - 1;
    }
    if taken > 0 {
      failures := 0;
    }
  }

  // Copies the live blocks to the beginning of a larger ring.
  method Grown(more: nat) returns (j: Journal)
    requires Valid()
    ensures fresh(j) && j.Valid() && j.capacity == capacity + more
    ensures j.used == used && j.next == next
  {
    j := new Journal(capacity + more, segment);
    for i := 0 to used
      invariant j.Valid() && fresh(j) && fresh(j.blocks) && j.capacity == capacity + more
      invariant j.used == 0 && j.head == 0
    {
      j.blocks[i] := At(i);
    }
    j.head := if used == j.capacity then 0 else used;
    j.used, j.next, j.sinceSeal, j.seals := used, next, sinceSeal, seals;
  }
}

// Numbers of the segments that entries belong to, and how many entries each has.
function Segments(numbers: seq<nat>, size: nat): map<nat, nat>
  requires size > 0
{
  if numbers == [] then map[]
  else
    var rest := Segments(numbers[1..], size);
    var s := numbers[0] / size;
    rest[s := 1 + if s in rest then rest[s] else 0]
}

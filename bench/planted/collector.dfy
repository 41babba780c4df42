// A heap of cells with a garbage collector: marking with a stack, weak references, a remembered
// set of old cells, and a free list.
module Collector {
  datatype Cell =
    | Free(next: int)
    | Pair(left: int, right: int)
    | Number(value: int)
    | Weak(target: int)

  datatype Stats = Stats(live: nat, freed: nat, promoted: nat)

  class Heap {
    const size: nat
    const cells: array<Cell>
    const marked: array<bool>
    // The collections that a cell has survived.
    const age: array<nat>
    var free: int
    var roots: seq<int>
    // Old cells that may refer to young ones.
    var remembered: set<int>

    ghost predicate Valid()
      reads this, cells, marked, age
    {
      && cells.Length == size && marked.Length == size && age.Length == size
      && -1 <= free < size
      && (forall i :: 0 <= i < |roots| ==> 0 <= roots[i] < size)
      && (forall r :: r in remembered ==> 0 <= r < size)
      && (forall i :: 0 <= i < size ==> InRange(cells[i]))
    }

    predicate InRange(c: Cell) {
      match c
      case Free(n) => -1 <= n < size
      case Pair(l, r) => -1 <= l < size && -1 <= r < size
      case Number(_) => true
      case Weak(t) => -1 <= t < size
    }

    constructor (size: nat)
      ensures Valid() && this.size == size && roots == []
      ensures fresh(cells) && fresh(marked) && fresh(age)
    {
      this.size := size;
      cells := new Cell[size](i => Free(if 0 <= i < size - 1 then i + 1 else -1));
      marked := new bool[size](_ => false);
      age := new nat[size](_ => 0);
      free := if size > 0 then 0 else -1;
      roots := [];
      remembered := {};
    }

    method Allocate(c: Cell) returns (at: int)
      requires Valid() && InRange(c) && !c.Free?
      modifies this, cells, age
      ensures Valid() && -1 <= at < size && roots == old(roots)
    {
      if free < 0 || !cells[free].Free? {
        return -1;
      }
      at := free;
      free := cells[at].next;
      cells[at] := c;
      age[at] := 0;
    }

    method Push(r: int)
      requires Valid() && 0 <= r < size
      modifies this
      ensures Valid() && roots == old(roots) + [r]
    {
      roots := roots + [r];
    }

    method Pop() returns (r: int)
      requires Valid() && roots != []
      modifies this
      ensures Valid() && r == old(roots)[|old(roots)| - 1]
    {
      r := roots[|roots| - 1];
      roots := roots[..|roots| - 1];
    }

    predicate IsYoung(i: int)
      requires 0 <= i < age.Length
      reads age
    {
      age[i] < 2
    }

    // Changes a field of a pair. An old pair that refers to a young cell is remembered.
    method Store(at: int, first: bool, value: int)
      requires Valid() && 0 <= at < size && -1 <= value < size
      modifies this, cells
      ensures Valid()
    {
      match cells[at]
      case Pair(l, r) =>
        cells[at] := if first then Pair(value, r) else Pair(l, value);
        if !IsYoung(at) && value >= 0 && IsYoung(value) {
          remembered := remembered + {at};
        }
      case _ =>
    }

    // Marks all cells that can be reached; a minor collection stops at old cells.
    method Mark(start: seq<int>, minor: bool)
      requires Valid() && forall i :: 0 <= i < |start| ==> 0 <= start[i] < size
      modifies marked
      ensures Valid()
    {
      var stack := start;
      ghost var white := set i | 0 <= i < size && !marked[i];
      while |stack| > 0
        invariant Valid()
        invariant forall i :: 0 <= i < |stack| ==> 0 <= stack[i] < size
        invariant white == set i | 0 <= i < size && !marked[i]
        decreases white, |stack|
      {
        var at := stack[|stack| - 1];
        stack := stack[..|stack| - 1];
        if !marked[at] && !(minor && !IsYoung(at)) {
          marked[at] := true;
          white := white - {at};
          stack := stack + Children(cells[at]);
        }
      }
    }

    function Children(c: Cell): seq<int>
      requires InRange(c)
      ensures forall i :: 0 <= i < |Children(c)| ==> 0 <= Children(c)[i] < size
    {
      match c
      case Pair(l, r) => (if l >= 0 then [l] else []) + (if r >= 0 then [r] else [])
      case _ => []
    }

    predicate HasYoung(c: Cell)
      requires InRange(c) && age.Length == size
      reads age
    {
      exists i <- Children(c) :: IsYoung(i)
    }

    method Sweep(minor: bool) returns (s: Stats)
      requires Valid()
      modifies this, cells, marked, age
      ensures Valid() && roots == old(roots)
    {
      s := Stats(0, 0, 0);
      var i := size;
      while i > 0
        invariant 0 <= i <= size && Valid() && roots == old(roots)
      {
        i := i - 1;
        if marked[i] || (minor && !IsYoung(i)) {
          s := s.(live := s.live + 1);
          if marked[i] {
            marked[i] := false;
            age[i] := age[i] + 1;
            if age[i] == 2 {
              s := s.(promoted := s.promoted + 1);
              remembered := remembered + {i};
            }
          }
        } else {
          if !cells[i].Free? {
            s := s.(freed := s.freed + 1);
          }
          cells[i] := Free(free);
          age[i] := 0;
          free := i;
        }
      }
    }

    // Clears the weak references to cells that were not marked.
    method ClearWeak(minor: bool)
      requires Valid()
      modifies cells
      ensures Valid()
    {
      for i := 0 to size
        invariant Valid()
      {
        match cells[i]
        case Weak(t) =>
          if t >= 0 && !marked[t] && !(minor && !IsYoung(t)) {
            cells[i] := Weak(-1);
          }
        case _ =>
      }
    }

    method Collect(minor: bool) returns (s: Stats)
      requires Valid()
      modifies this, cells, marked, age
      ensures Valid() && roots == old(roots)
    {
      Mark(roots, minor);
      if minor {
        var rest := remembered;
        while rest != {}
          invariant Valid() && rest <= remembered && roots == old(roots)
        {
          var r :| r in rest;
          Mark(Children(cells[r]), minor);
          rest := rest - {r};
        }
      }
      ClearWeak(minor);
      free := -1;
      s := Sweep(minor);
      remembered := set r | r in remembered && HasYoung(cells[r]);
    }
  }
}

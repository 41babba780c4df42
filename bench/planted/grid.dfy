// Ways over a grid: a binary heap that knows where its items are, cheapest ways with climbs, reachable areas, and lines of sight.

datatype Option<T> = None | Some(value: T)

datatype Point = Point(x: int, y: int)

datatype Cell = Wall | Ground(cost: nat)

type Grid = seq<seq<Cell>>

predicate Rectangular(g: Grid) {
  forall i, j | 0 <= i < |g| && 0 <= j < |g| :: |g[i]| == |g[j]|
}

function Width(g: Grid): nat {
  if g == [] then 0 else |g[0]|
}

predicate Inside(g: Grid, p: Point) {
  0 <= p.y < |g| && 0 <= p.x < |g[p.y]|
}

predicate Free(g: Grid, p: Point) {
  Inside(g, p) && g[p.y][p.x].Ground?
}

// A number for each letter; every other character is a wall.
function Parse(rows: seq<string>): Grid {
  seq(|rows|, y requires 0 <= y < |rows| =>
    seq(|rows[y]|, x requires 0 <= x < |rows[y]| => CellOf(rows[y][x])))
}

function CellOf(c: char): Cell {
  if '0' <= c <= '9' then Ground((c - '0') as nat) else if c == '.' then Ground(1) else Wall
}

// Points with priorities; the least comes first. `place` has the index of each point that is in the heap.
class Heap {
  var items: seq<(nat, Point)>
  var place: map<Point, nat>

  ghost predicate Valid()
    reads this
  {
    && (forall i | 0 <= i < |items| :: items[i].1 in place && place[items[i].1] == i)
    && (forall p <- place :: place[p] < |items| && items[place[p]].1 == p)
  }

  constructor ()
    ensures Valid() && items == [] && fresh(this)
  {
    items, place := [], map[];
  }

  method Swap(i: nat, j: nat)
    requires Valid() && i < |items| && j < |items|
    modifies this
    ensures Valid() && |items| == |old(items)| && place.Keys == old(place.Keys)
    ensures items == old(items[i := items[j]][j := items[i]])
  {
    var a, b := items[i], items[j];
    items := items[i := b][j := a];
    place := place[b.1 := i][a.1 := j];
  }

  method Up(start: nat)
    requires Valid() && start < |items|
    modifies this
    ensures Valid() && |items| == |old(items)| && place.Keys == old(place.Keys)
  {
    var i := start;
    while i > 0 && items[i].0 < items[(i - 1) / 2].0
      invariant Valid() && i < |items| && |items| == |old(items)| && place.Keys == old(place.Keys)
    {
      Swap(i, (i - 1) / 2);
      i := (i - 1) / 2;
    }
  }

  method Down(start: nat)
    requires Valid()
    modifies this
    ensures Valid() && |items| == |old(items)| && place.Keys == old(place.Keys)
  {
    var i := start;
    while 2 * i + 1 < |items|
      invariant Valid() && |items| == |old(items)| && place.Keys == old(place.Keys)
      decreases |items| - i
    {
      var child := 2 * i + 1;
      if child + 1 < |items| && items[child + 1].0 < items[child].0 {
        child := child + 1;
      }
      if items[i].0 <= items[child].0 {
        return;
      }
      Swap(i, child);
      i := child;
    }
  }

  // A point that is in the heap already keeps the smaller priority.
  method Push(p: Point, priority: nat)
    requires Valid()
    modifies this
    ensures Valid() && place.Keys == old(place.Keys) + {p}
  {
    if p !in place {
      items := items + [(priority, p)];
      place := place[p := |items| - 1];
      Up(|items| - 1);
    } else if priority < items[place[p]].0 {
      items := items[place[p] := (priority, p)];
      Up(place[p]);
    }
  }

  method Pop() returns (p: Point, priority: nat)
    requires Valid() && items != []
    modifies this
    ensures Valid() && |items| == |old(items)| - 1 && p in old(place) && place.Keys == old(place.Keys) - {p}
  {
    priority, p := items[0].0, items[0].1;
    Swap(0, |items| - 1);
    items, place := items[..|items| - 1], place - {p};
    Down(0);
  }

  // Takes a point out, wherever it is.
  method Cancel(p: Point)
    requires Valid()
    modifies this
    ensures Valid() && place.Keys == old(place.Keys) - {p}
  {
    if p in place {
      var i := place[p];
      Swap(i, |items| - 1);
      items, place := items[..|items| - 1], place - {p};
      if i < |items| {
        Up(i);
        Down(i);
      }
    }
  }
}

const STEPS: seq<(int, int)> := [(0, -1), (1, 0), (0, 1), (-1, 0)]

function Step(g: Grid, p: Point, q: Point): nat
  requires Free(g, q)
{
  var cost := g[q.y][q.x].cost;
  if Free(g, p) && g[p.y][p.x].cost < cost then 2 * cost - g[p.y][p.x].cost else cost
}

// The cost of the cheapest way and the way itself. Each step costs what its cell does, and the difference once more if that is more than
// the cell before it costs.
method Cheapest(g: Grid, from: Point, to: Point) returns (cost: Option<nat>, way: seq<Point>)
  requires Rectangular(g) && Free(g, from)
  ensures cost.None? ==> way == []
  decreases *
{
  var heap := new Heap();
  heap.Push(from, 0);
  var done: map<Point, nat>, before: map<Point, Point>, best := map[], map[], map[from := 0];
  while heap.items != [] && to !in done
    invariant heap.Valid() && fresh(heap) && heap.place.Keys <= best.Keys
    invariant before.Keys <= best.Keys
    decreases *
  {
    var p, d := heap.Pop();
    done := done[p := d];
    for k := 0 to |STEPS|
      invariant heap.Valid() && fresh(heap) && heap.place.Keys <= best.Keys
      invariant before.Keys <= best.Keys
    {
      var q := Point(p.x + STEPS[k].0, p.y + STEPS[k].1);
      if Free(g, q) && q !in done {
        var e := d + Step(g, p, q);
        if q !in best || e < best[q] {
          best, before := best[q := e], before[q := p];
          heap.Push(q, e);
        }
      }
    }
  }
  if to !in done {
    return None, [];
  }
  cost, way := Some(done[to]), [to];
  while way[0] != from && way[0] in before
    invariant way != []
    decreases *
  {
    way := [before[way[0]]] + way;
  }
}

// The cells that can be reached by a number of steps.
method Reachable(g: Grid, from: Point, steps: nat) returns (seen: set<Point>)
  requires Rectangular(g)
{
  seen := if Free(g, from) then {from} else {};
  var edge := seen;
  var n := 0;
  while n < steps && edge != {} {
    var next := set p <- edge, k <- [0, 1, 2, 3] | Free(g, Point(p.x + STEPS[k].0, p.y + STEPS[k].1)) ::
      Point(p.x + STEPS[k].0, p.y + STEPS[k].1);
    edge := next - seen;
    seen := seen + edge;
    n := n + 1;
  }
}

function Abs(x: int): nat {
  if x < 0 then -x else x
}

function Sign(x: int): int {
  if x < 0 then -1 else if x == 0 then 0 else 1
}

// The cells on a straight line, by Bresenham's rule, both ends included.
method Line(a: Point, b: Point) returns (cells: seq<Point>)
  ensures cells != [] && cells[0] == a
{
  var dx: int, dy: int := Abs(b.x - a.x), Abs(b.y - a.y);
  var error: int := dx - dy;
  var p := a;
  cells := [a];
  var left := if dx < dy then dy else dx;
  while left > 0
    invariant cells != [] && cells[0] == a
  {
    var twice := 2 * error;
    if twice > -dy {
      error, p := error - dy, p.(x := p.x + Sign(b.x - a.x));
    }
    if twice < dx {
      error, p := error + dx, p.(y := p.y + Sign(b.y - a.y));
    }
    cells := cells + [p];
    left := left - 1;
  }
}

// Whether no wall stands between two points; the points themselves do not count.
method Sees(g: Grid, a: Point, b: Point) returns (sees: bool)
  requires Rectangular(g)
{
  var cells := Line(a, b);
  sees := forall i | 0 < i < |cells| - 1 :: Free(g, cells[i]);
}

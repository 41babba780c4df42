// Roads between towns: regions by union and find, the cheapest network, the shortest routes, and the roads that must not close.

datatype Option<T> = None | Some(value: T)

datatype Road = Road(a: nat, b: nat, length: nat)

predicate Within(roads: seq<Road>, towns: nat) {
  forall r <- roads :: r.a < towns && r.b < towns
}

class Regions {
  const parent: array<nat>
  const size: array<nat>  // Of the region, at its root.
  ghost var height: seq<nat>
  ghost var top: nat
  ghost var Repr: set<object>

  ghost predicate Valid()
    reads this, Repr
  {
    && Repr == {this, parent, size} && parent != size
    && parent.Length == size.Length == |height|
    && (forall i | 0 <= i < parent.Length :: parent[i] < parent.Length && height[i] <= top)
    && (forall i | 0 <= i < parent.Length :: parent[i] != i ==> height[i] < height[parent[i]])
  }

  constructor (towns: nat)
    ensures Valid() && fresh(Repr) && parent.Length == towns
  {
    var p := new nat[towns](i => i);
    var s := new nat[towns](i => 1);
    parent, size := p, s;
    height, top := seq(towns, i => 0), 0;
    new;
    Repr := {this, p, s};
  }

  // The root of a region; the way to it is halved.
  method Find(town: nat) returns (root: nat)
    requires Valid() && town < parent.Length
    modifies parent
    ensures Valid() && root < parent.Length && parent[root] == root
    ensures forall i | 0 <= i < parent.Length && old(parent[i]) == i :: parent[i] == i
  {
    root := town;
    while parent[root] != root
      invariant Valid() && root < parent.Length
      invariant forall i | 0 <= i < parent.Length && old(parent[i]) == i :: parent[i] == i
      decreases top - height[root]
    {
      parent[root] := parent[parent[root]];
      root := parent[root];
    }
  }

  // Joins two regions; the smaller one hangs below the larger.
  method Join(a: nat, b: nat) returns (joined: bool)
    requires Valid() && a < parent.Length && b < parent.Length
    modifies Repr
    ensures Valid()
  {
    var x := Find(a);
    var y := Find(b);
    joined := x != y;
    if joined {
      if size[x] < size[y] {
        x, y := y, x;
      }
      parent[y] := x;
      size[x] := size[x] + size[y];
      height := height[x := if height[x] <= height[y] then height[y] + 1 else height[x]];
      top := top + 1;
    }
  }

  method JoinAll(roads: seq<Road>)
    requires Valid() && Within(roads, parent.Length)
    modifies Repr
    ensures Valid()
  {
    for i := 0 to |roads|
      invariant Valid()
    {
      var joined := Join(roads[i].a, roads[i].b);
    }
  }

  method Count() returns (count: nat)
    requires Valid()
    ensures count <= parent.Length
  {
    count := 0;
    for i := 0 to parent.Length
      invariant count <= i
    {
      if parent[i] == i {
        count := count + 1;
      }
    }
  }

  // The number of towns that can be reached from a town, itself included.
  method Reach(town: nat) returns (count: nat)
    requires Valid() && town < parent.Length
    modifies Repr
    ensures Valid()
  {
    var root := Find(town);
    count := size[root];
  }
}

function Insert(r: Road, sorted: seq<Road>): seq<Road>
  ensures multiset(Insert(r, sorted)) == multiset(sorted) + multiset{r}
{
  if sorted == [] || r.length <= sorted[0].length then [r] + sorted
  else
    assert sorted == [sorted[0]] + sorted[1..];
    [sorted[0]] + Insert(r, sorted[1..])
}

function Sorted(roads: seq<Road>): seq<Road>
  ensures multiset(Sorted(roads)) == multiset(roads)
{
  if roads == [] then []
  else
    assert roads == [roads[0]] + roads[1..];
    Insert(roads[0], Sorted(roads[1..]))
}

// The roads that connect what can be connected at the least length, the shortest first (Kruskal).
method Network(roads: seq<Road>, towns: nat) returns (chosen: seq<Road>, total: nat)
  requires Within(roads, towns)
  ensures |chosen| <= |roads|
  ensures towns > 0 ==> |chosen| < towns
{
  var sorted := Sorted(roads);
  assert forall r <- sorted :: r in multiset(roads);
  assert |sorted| == |multiset(sorted)| == |roads|;
  var regions := new Regions(towns);
  chosen, total := [], 0;
  var i := 0;
  while i < |sorted| && |chosen| + 1 < towns
    invariant i <= |sorted| && |chosen| <= i && regions.Valid() && fresh(regions.Repr) && regions.parent.Length == towns
    invariant towns > 0 ==> |chosen| < towns
    decreases |sorted| - i
  {
    assert sorted[i] in multiset(roads);
    var joined := regions.Join(sorted[i].a, sorted[i].b);
    if joined {
      chosen, total := chosen + [sorted[i]], total + sorted[i].length;
    }
    i := i + 1;
  }
}

// The roads, by their numbers, without which fewer towns can be reached.
method Critical(roads: seq<Road>, towns: nat) returns (numbers: seq<nat>)
  requires Within(roads, towns)
  ensures forall n <- numbers :: n < |roads|
{
  var all := new Regions(towns);
  all.JoinAll(roads);
  var before := all.Count();
  numbers := [];
  for i := 0 to |roads|
    invariant forall n <- numbers :: n < i
  {
    var regions := new Regions(towns);
    regions.JoinAll(roads[..i] + roads[i + 1..]);
    var after := regions.Count();
    if after > before {
      numbers := numbers + [i];
    }
  }
}

function Neighbours(roads: seq<Road>, town: nat): seq<(nat, nat)> {
  if roads == [] then []
  else
    var others := Neighbours(roads[1..], town);
    if roads[0].a == town then [(roads[0].b, roads[0].length)] + others
    else if roads[0].b == town then [(roads[0].a, roads[0].length)] + others
    else others
}

lemma NeighboursWithin(roads: seq<Road>, town: nat, towns: nat)
  requires Within(roads, towns)
  ensures forall n <- Neighbours(roads, town) :: n.0 < towns
{
}

datatype Visit = Unseen | Seen(distance: nat, via: nat) | Done(distance: nat, via: nat)

// The unfinished town that is nearest.
function Nearest(visits: seq<Visit>, i: nat): Option<nat>
  requires i <= |visits|
  ensures Nearest(visits, i).Some? ==> i <= Nearest(visits, i).value < |visits| && visits[Nearest(visits, i).value].Seen?
  decreases |visits| - i
{
  if i == |visits| then None
  else
    var later := Nearest(visits, i + 1);
    if !visits[i].Seen? then later
    else if later.None? || visits[i].distance <= visits[later.value].distance then Some(i)
    else later
}

// The shortest route as the towns on it (Dijkstra); none if there is no way.
method Route(roads: seq<Road>, towns: nat, start: nat, goal: nat) returns (route: seq<nat>, length: nat)
  requires Within(roads, towns) && start < towns && goal < towns
  ensures route != [] ==> route[|route| - 1] == goal
{
  var visits: seq<Visit> := seq(towns, i => if i == start then Seen(0, start) else Unseen);
  var nearest: Option<nat> := Some(start);
  for round := 0 to towns
    invariant |visits| == towns
    invariant nearest.Some? ==> nearest.value < towns && visits[nearest.value].Seen?
    invariant forall v <- visits | !v.Unseen? :: v.via < towns
  {
    if nearest.None? {
      break;
    }
    var t := nearest.value;
    var distance := visits[t].distance;
    visits := visits[t := Done(distance, visits[t].via)];
    var near := Neighbours(roads, t);
    NeighboursWithin(roads, t, towns);
    for k := 0 to |near|
      invariant |visits| == towns && forall v <- visits | !v.Unseen? :: v.via < towns
    {
      var other, along := near[k].0, distance + near[k].1;
      match visits[other] {
        case Unseen => visits := visits[other := Seen(along, t)];
        case Seen(d, _) => if along < d { visits := visits[other := Seen(along, t)]; }
        case Done(_, _) =>
      }
    }
    nearest := Nearest(visits, 0);
  }
  route, length := [], 0;
  if !visits[goal].Unseen? {
    length := visits[goal].distance;
    route := [goal];
    for step := 0 to towns
      invariant route != [] && route[0] < towns && route[|route| - 1] == goal
    {
      if route[0] == start || visits[route[0]].Unseen? {
        break;
      }
      route := [visits[route[0]].via] + route;
    }
  }
}

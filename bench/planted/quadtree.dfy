// Points in a quadtree: quarters that split when they are full and join again, search by rectangle, nearest point, counts.

datatype Option<T> = None | Some(value: T)

datatype Point = Point(x: int, y: int, id: nat)

// A square with its lower left corner; the upper and right borders do not belong to it.
datatype Square = Square(x: int, y: int, size: nat)

datatype Tree =
  | Leaf(points: seq<Point>)
  | Node(count: nat, sw: Tree, se: Tree, nw: Tree, ne: Tree)

const CAPACITY: nat := 2

predicate Inside(s: Square, p: Point) {
  s.x <= p.x < s.x + s.size && s.y <= p.y < s.y + s.size
}

function Quarter(s: Square, east: bool, north: bool): Square {
  var half := s.size / 2;
  Square(if east then s.x + half else s.x, if north then s.y + half else s.y, half)
}

predicate East(s: Square, p: Point) {
  p.x >= s.x + s.size / 2
}

predicate North(s: Square, p: Point) {
  p.y >= s.y + s.size / 2
}

function Count(t: Tree): nat {
  match t
  case Leaf(ps) => |ps|
  case Node(n, _, _, _, _) => n
}

function All(t: Tree): seq<Point> {
  match t
  case Leaf(ps) => ps
  case Node(_, a, b, c, d) => All(a) + All(b) + All(c) + All(d)
}

function InsertAll(t: Tree, s: Square, ps: seq<Point>): Tree
  decreases s.size, 2, |ps|
{
  if ps == [] then t else InsertAll(Insert(t, s, ps[0]), s, ps[1..])
}

// A leaf of size one does not split, however many points it has.
function Insert(t: Tree, s: Square, p: Point): Tree
  decreases s.size, 1, 0
{
  match t
  case Leaf(ps) =>
    if |ps| < CAPACITY || s.size <= 1 then Leaf(ps + [p])
    else
      Distribute(s, ps + [p])
  case Node(n, sw, se, nw, ne) =>
    if s.size <= 1 then t
    else if East(s, p) then
      if North(s, p) then Node(n + 1, sw, se, nw, Insert(ne, Quarter(s, true, true), p))
      else Node(n + 1, sw, Insert(se, Quarter(s, true, false), p), nw, ne)
    else
      if North(s, p) then Node(n + 1, sw, se, Insert(nw, Quarter(s, false, true), p), ne)
      else Node(n + 1, Insert(sw, Quarter(s, false, false), p), se, nw, ne)
}

// The points of a leaf in four quarters.
function Distribute(s: Square, ps: seq<Point>): Tree
  requires s.size > 1
  decreases s.size, 0, 0
{
  var sw := InsertAll(Leaf([]), Quarter(s, false, false), Select(s, ps, false, false));
  var se := InsertAll(Leaf([]), Quarter(s, true, false), Select(s, ps, true, false));
  var nw := InsertAll(Leaf([]), Quarter(s, false, true), Select(s, ps, false, true));
  var ne := InsertAll(Leaf([]), Quarter(s, true, true), Select(s, ps, true, true));
  Node(|ps|, sw, se, nw, ne)
}

function Select(s: Square, ps: seq<Point>, east: bool, north: bool): seq<Point> {
  if ps == [] then []
  else
    var rest := Select(s, ps[1..], east, north);
    if East(s, ps[0]) == east && North(s, ps[0]) == north then [ps[0]] + rest else rest
}

function Without(ps: seq<Point>, id: nat): seq<Point> {
  if ps == [] then []
  else if ps[0].id == id then ps[1..]
  else [ps[0]] + Without(ps[1..], id)
}

// A node whose points fit into a leaf becomes one.
function Join(sw: Tree, se: Tree, nw: Tree, ne: Tree): Tree {
  var n := Count(sw) + Count(se) + Count(nw) + Count(ne);
  if n <= CAPACITY then Leaf(All(sw) + All(se) + All(nw) + All(ne)) else Node(n, sw, se, nw, ne)
}

function Remove(t: Tree, s: Square, p: Point): Tree
{
  match t
  case Leaf(ps) => Leaf(Without(ps, p.id))
  case Node(_, sw, se, nw, ne) =>
    if East(s, p) then
      if North(s, p) then Join(sw, se, nw, Remove(ne, Quarter(s, true, true), p))
      else Join(sw, Remove(se, Quarter(s, true, false), p), nw, ne)
    else
      if North(s, p) then Join(sw, se, Remove(nw, Quarter(s, false, true), p), ne)
      else Join(Remove(sw, Quarter(s, false, false), p), se, nw, ne)
}

// A rectangle with its borders.
datatype Rect = Rect(left: int, bottom: int, right: int, top: int)

predicate In(r: Rect, p: Point) {
  r.left <= p.x <= r.right && r.bottom <= p.y <= r.top
}

predicate Meets(r: Rect, s: Square) {
  r.left < s.x + s.size && s.x <= r.right && r.bottom < s.y + s.size && s.y <= r.top
}

predicate Covers(r: Rect, s: Square) {
  r.left <= s.x && s.x + s.size - 1 <= r.right && r.bottom <= s.y && s.y + s.size - 1 <= r.top
}

function CountIn(t: Tree, s: Square, r: Rect): nat {
  if !Meets(r, s) then 0
  else if Covers(r, s) then Count(t)
  else match t
    case Leaf(ps) => |Filter(ps, r)|
    case Node(_, sw, se, nw, ne) =>
      CountIn(sw, Quarter(s, false, false), r) + CountIn(se, Quarter(s, true, false), r)
      + CountIn(nw, Quarter(s, false, true), r) + CountIn(ne, Quarter(s, true, true), r)
}

function Filter(ps: seq<Point>, r: Rect): seq<Point> {
  if ps == [] then []
  else if In(r, ps[0]) then [ps[0]] + Filter(ps[1..], r)
  else Filter(ps[1..], r)
}

function Square2(a: int): int { a * a }

function Distance(p: Point, x: int, y: int): int {
  Square2(p.x - x) + Square2(p.y - y)
}

// The smallest distance, squared, of a place and the points of a square.
function Gap(s: Square, x: int, y: int): int {
  Square2(Beside(s.x, s.size, x)) + Square2(Beside(s.y, s.size, y))
}

function Beside(from: int, size: nat, a: int): int {
  if a < from then from - a else if a >= from + size then a - (from + size - 1) else 0
}

// The nearest point; of several the one with the smallest number.
function Nearer(a: Option<Point>, b: Option<Point>, x: int, y: int): Option<Point> {
  if a.None? then b
  else if b.None? then a
  else
    var d, e := Distance(a.value, x, y), Distance(b.value, x, y);
    if e < d || (e == d && b.value.id < a.value.id) then b else a
}

function NearestIn(ps: seq<Point>, x: int, y: int): Option<Point> {
  if ps == [] then None else Nearer(Some(ps[0]), NearestIn(ps[1..], x, y), x, y)
}

// Improves the best point so far; squares that are farther away are not searched.
function Nearest(t: Tree, s: Square, x: int, y: int, best: Option<Point>): Option<Point> {
  if best.Some? && Gap(s, x, y) > Distance(best.value, x, y) then best
  else match t
    case Leaf(ps) => Nearer(best, NearestIn(ps, x, y), x, y)
    case Node(_, sw, se, nw, ne) =>
      var a := Nearest(sw, Quarter(s, false, false), x, y, best);
      var b := Nearest(se, Quarter(s, true, false), x, y, a);
      var c := Nearest(nw, Quarter(s, false, true), x, y, b);
      Nearest(ne, Quarter(s, true, true), x, y, c)
}

class Map {
  const area: Square
  var tree: Tree
  var places: map<nat, Point>
  var next: nat

  constructor (power: nat)
    requires power < 8
    ensures places == map[] && next == 0
  {
    area := Square(0, 0, [1, 2, 4, 8, 16, 32, 64, 128][power]);
    tree, places, next := Leaf([]), map[], 0;
  }

  method Add(x: int, y: int) returns (id: Option<nat>)
    modifies this
    ensures id.Some? ==> id.value in places
  {
    var p := Point(x, y, next);
    if !Inside(area, p) {
      return None;
    }
    tree, places, next := Insert(tree, area, p), places[next := p], next + 1;
    return Some(p.id);
  }

  // Moves a point, unless that leads out of the area.
  method Move(id: nat, dx: int, dy: int) returns (done: bool)
    modifies this
    ensures done ==> id in places
  {
    if id !in places {
      return false;
    }
    var p := places[id];
    var q := Point(p.x + dx, p.y + dy, id);
    if !Inside(area, q) {
      return false;
    }
    tree, places := Insert(Remove(tree, area, p), area, q), places[id := q];
    return true;
  }

  method Find(r: Rect) returns (count: nat)
  {
    return CountIn(tree, area, r);
  }

  method Closest(x: int, y: int) returns (p: Option<Point>)
  {
    return Nearest(tree, area, x, y, None);
  }
}

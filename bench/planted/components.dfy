// Directed graphs: strong components by Tarjan's algorithm, their order, cycles, longest ways, and matchings of two sides.

datatype Option<T> = None | Some(value: T)

// `next[v]` are the nodes that edges lead to from `v`.
type Graph = seq<seq<nat>>

predicate Closed(g: Graph) {
  forall v <- g, w <- v :: w < |g|
}

function FromEdges(nodes: nat, edges: seq<(nat, nat)>): Graph {
  seq(nodes, (v: nat) => Targets(edges, v))
}

function Targets(edges: seq<(nat, nat)>, v: nat): seq<nat> {
  if edges == [] then []
  else
    var rest := Targets(edges[1..], v);
    if edges[0].0 == v then [edges[0].1] + rest else rest
}

class Tarjan {
  const g: Graph
  var index: array<nat>    // The time at which a node was found, beginning with 1; 0 before.
  var low: array<nat>      // The earliest node that is known to be reachable.
  var onStack: array<bool>
  var stack: seq<nat>
  var time: nat
  var components: seq<seq<nat>>

  ghost predicate Valid()
    reads this
  {
    && Closed(g) && index.Length == low.Length == onStack.Length == |g| && index != low
    && (forall i | 0 <= i < |stack| :: stack[i] < |g|)
  }

  constructor (g: Graph)
    requires Closed(g)
    ensures Valid() && this.g == g && fresh(index) && fresh(low) && fresh(onStack) && components == []
  {
    this.g := g;
    index := new nat[|g|](i => 0);
    low := new nat[|g|](i => 0);
    onStack := new bool[|g|](i => false);
    stack, time, components := [], 0, [];
  }

  method Visit(v: nat)
    requires Valid() && v < |g|
    modifies this, index, low, onStack
    ensures Valid() && index == old(index) && low == old(low) && onStack == old(onStack)
    decreases *
  {
    time := time + 1;
    index[v], low[v] := time, time;
    stack := stack + [v];
    onStack[v] := true;
    for i := 0 to |g[v]|
      invariant Valid() && index == old(index) && low == old(low) && onStack == old(onStack)
    {
      var w := g[v][i];
      assert g[v] in g && w in g[v];
      if index[w] == 0 {
        Visit(w);
        low[v] := if low[w] < low[v] then low[w] else low[v];
      } else if onStack[w] {
        low[v] := if index[w] < low[v] then index[w] else low[v];
      }
    }
    if low[v] == index[v] {
      var component: seq<nat> := [];
      var last := v + 1;
      while stack != [] && last != v
        invariant Valid() && index == old(index) && low == old(low) && onStack == old(onStack)
        decreases |stack|
      {
        last := stack[|stack| - 1];
        stack := stack[..|stack| - 1];
        onStack[last] := false;
        component := component + [last];
      }
      components := components + [component];
    }
  }
}

// The strong components; each comes behind those that it leads to.
method Components(g: Graph) returns (components: seq<seq<nat>>)
  requires Closed(g)
  decreases *
{
  var t := new Tarjan(g);
  for v := 0 to |g|
    invariant t.Valid() && fresh(t) && fresh(t.index) && fresh(t.low) && fresh(t.onStack) && t.g == g
  {
    if t.index[v] == 0 {
      t.Visit(v);
    }
  }
  components := t.components;
}

// The nodes in an order in which every edge leads forward, or nodes on a cycle.
method Order(g: Graph) returns (order: Option<seq<nat>>, cycle: seq<nat>)
  requires Closed(g)
  ensures order.None? <==> cycle != []
  decreases *
{
  var components := Components(g);
  var ordered: seq<nat> := [];
  for i := 0 to |components| {
    var c := components[i];
    if |c| > 1 || (|c| == 1 && c[0] < |g| && c[0] in g[c[0]]) {
      return None, c;
    }
    ordered := c + ordered;
  }
  return Some(ordered), [];
}

// For each node the greatest sum of weights on a way that ends there, if there is no cycle.
method Longest(g: Graph, weight: seq<nat>) returns (sums: Option<seq<nat>>)
  requires Closed(g) && |weight| == |g|
  decreases *
{
  var order, cycle := Order(g);
  if order.None? {
    return None;
  }
  var total := weight;
  for i := 0 to |order.value|
    invariant |total| == |g|
  {
    var v := order.value[i];
    if v < |g| {
      for j := 0 to |g[v]|
        invariant |total| == |g|
      {
        var w := g[v][j];
        assert g[v] in g && w in g[v];
        if total[v] + weight[w] > total[w] {
          total := total[w := total[v] + weight[w]];
        }
      }
    }
  }
  return Some(total);
}

// Matches nodes of a left side, whose edges lead to `right` nodes, so that as many as possible have a partner.
class Matching {
  const g: Graph
  const right: nat
  var partner: seq<Option<nat>>  // Of the right nodes.

  ghost predicate Valid()
    reads this
  {
    && (forall v <- g, w <- v :: w < right) && |partner| == right
    && (forall p <- partner :: p.Some? ==> p.value < |g|)
  }

  constructor (g: Graph, right: nat)
    requires forall v <- g, w <- v :: w < right
    ensures Valid() && this.g == g && this.right == right
  {
    this.g, this.right, partner := g, right, seq(right, i => None);
  }

  // Finds a partner for a left node; others may have to change theirs.
  method Place(v: nat, tried: set<nat>) returns (placed: bool, seen: set<nat>)
    requires Valid() && v < |g|
    modifies this
    ensures Valid()
    decreases *
  {
    seen := tried;
    for i := 0 to |g[v]|
      invariant Valid()
    {
      var w := g[v][i];
      assert g[v] in g && w in g[v];
      if w !in seen {
        seen := seen + {w};
        var free := partner[w].None?;
        if !free {
          assert partner[w] in partner;
          free, seen := Place(partner[w].value, seen);
        }
        if free {
          partner := partner[w := Some(v)];
          return true, seen;
        }
      }
    }
    placed := false;
  }

  method Run() returns (size: nat)
    requires Valid()
    modifies this
    ensures Valid()
    decreases *
  {
    size := 0;
    for v := 0 to |g|
      invariant Valid()
    {
      var placed, seen := Place(v, {});
      if placed {
        size := size + 1;
      }
    }
  }
}

// Colors 0 and 1 such that no edge leads to its own color; edges count in both directions.
method TwoColors(g: Graph) returns (colors: Option<map<nat, nat>>)
  requires Closed(g)
  decreases *
{
  var c: map<nat, nat> := map[];
  for start := 0 to |g| {
    var queue := [];
    if start !in c {
      c, queue := c[start := 0], [start];
    }
    while queue != []
      decreases *
    {
      var v := queue[0];
      queue := queue[1..];
      for w := 0 to |g| {
        if v < |g| && v in c && (w in g[v] || v in g[w]) {
          if w !in c {
            c, queue := c[w := 1 - c[v] % 2], queue + [w];
          } else if c[w] == c[v] {
            return None;
          }
        }
      }
    }
  }
  return Some(c);
}

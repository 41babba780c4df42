// A cache of rendered pages: the least recently used go first, entries expire, pinned entries stay, and a change of a source removes
// the entries that were made of it.

datatype Option<T> = None | Some(value: T)

class Node {
  const key: nat
  const value: int
  const weight: nat
  const lifetime: nat
  const sources: set<nat>
  var expiry: nat
  var pins: nat
  var older: Node?
  var newer: Node?

  constructor (key: nat, value: int, weight: nat, lifetime: nat, sources: set<nat>, pins: nat, now: nat)
    ensures this.key == key && this.value == value && this.weight == weight && this.lifetime == lifetime
    ensures this.sources == sources && this.pins == pins && expiry == now + lifetime
  {
    this.key, this.value, this.weight, this.lifetime, this.sources := key, value, weight, lifetime, sources;
    this.pins, expiry := pins, now + lifetime;
    older, newer := null, null;
  }
}

ghost function TotalWeight(nodes: seq<Node>): nat {
  if nodes == [] then 0 else nodes[0].weight + TotalWeight(nodes[1..])
}

lemma TotalWithout(s: seq<Node>, i: nat)
  requires i < |s|
  ensures TotalWeight(s) == TotalWeight(s[..i] + s[i + 1..]) + s[i].weight
{
  if i > 0 {
    TotalWithout(s[1..], i - 1);
    assert s[1..][..i - 1] + s[1..][i..] == (s[..i] + s[i + 1..])[1..];
  }
}

class Cache {
  const capacity: nat
  const defaultLifetime: nat
  var table: map<nat, Node>
  var oldest: Node?
  var newest: Node?
  var used: nat
  var hits: nat
  ghost var order: seq<Node>  // The oldest first.
  ghost var Repr: set<object>

  ghost predicate Chain()
    reads this, Repr
  {
    && this in Repr && (forall n <- order :: n in Repr)
    && (forall i, j | 0 <= i < j < |order| :: order[i] != order[j])
    && (forall i, j | 0 <= i && j == i + 1 < |order| :: order[i].newer == order[j] && order[j].older == order[i])
    && (order == [] ==> oldest == null && newest == null)
    && (order != [] ==> oldest == order[0] && newest == order[|order| - 1] && oldest.older == null && newest.newer == null)
  }

  ghost predicate Valid()
    reads this, Repr
  {
    && Chain()
    && used == TotalWeight(order)
    && (forall n <- order :: n.key in table && table[n.key] == n)
    && (forall k <- table :: table[k] in order && table[k].key == k)
  }

  constructor (capacity: nat, defaultLifetime: nat)
    ensures Valid() && fresh(Repr) && order == [] && table == map[]
    ensures this.capacity == capacity && this.defaultLifetime == defaultLifetime
  {
    this.capacity, this.defaultLifetime := capacity, defaultLifetime;
    table, oldest, newest, used, hits := map[], null, null, 0, 0;
    order, Repr := [], {this};
  }

  method Detach(n: Node, ghost i: nat)
    requires Chain() && i < |order| && order[i] == n
    modifies Repr
    ensures Chain() && Repr == old(Repr) && order == old(order)[..i] + old(order)[i + 1..]
    ensures n !in order && (forall m <- order :: m in old(order)) && (forall m <- old(order) :: m == n || m in order)
    ensures table == old(table) && used == old(used) && hits == old(hits) && n.pins == old(n.pins)
  {
    assert i > 0 ==> n.older == order[i - 1];
    assert i < |order| - 1 ==> n.newer == order[i + 1];
    if n.newer == null {
      newest := n.older;
    } else {
      n.newer.older := n.older;
    }
    if n.older == null {
      oldest := n.newer;
    } else {
      n.older.newer := n.newer;
    }
    ghost var before := order;
    order := order[..i] + order[i + 1..];
    assert forall k | 0 <= k < |before| && k != i :: before[k] == order[if k < i then k else k - 1];
  }

  method Unlink(n: Node, ghost i: nat)
    requires Valid() && i < |order| && order[i] == n
    modifies Repr
    ensures Valid() && Repr == old(Repr) && order == old(order)[..i] + old(order)[i + 1..] && hits == old(hits)
    ensures table == old(table) - {n.key}
    ensures n.pins == old(n.pins)
  {
    TotalWithout(order, i);
    Detach(n, i);
    table, used := table - {n.key}, used - n.weight;
  }

  method Link(n: Node)
    requires Valid() && n !in order && n.key !in table
    modifies Repr, n
    ensures Valid() && Repr == old(Repr) + {n} && order == old(order) + [n] && hits == old(hits) && n.pins == old(n.pins)
    ensures table == old(table)[n.key := n] && used == old(used) + n.weight
  {
    n.older, n.newer := newest, null;
    if newest == null {
      oldest := n;
    } else {
      newest.newer := n;
    }
    newest := n;
    TotalWithout(order + [n], |order|);
    assert (order + [n])[..|order|] + (order + [n])[|order| + 1..] == order;
    table, used := table[n.key := n], used + n.weight;
    order, Repr := order + [n], Repr + {n};
  }

  // An entry is used: it becomes the newest and lives on. A pinned entry is served even if it has expired.
  method Get(key: nat, now: nat) returns (found: Option<int>)
    requires Valid()
    modifies Repr
    ensures Valid() && Repr == old(Repr) && (found.Some? ==> key in old(table) && key in table)
    ensures found.None? ==> key !in table
  {
    if key !in table {
      found := None;
    } else {
      var n := table[key];
      ghost var i :| 0 <= i < |order| && order[i] == n;
      Unlink(n, i);
      if n.expiry <= now && n.pins == 0 {
        found := None;
      } else {
        n.expiry := now + n.lifetime;
        Link(n);
        hits, found := hits + 1, Some(n.value);
      }
    }
  }

  // Removes the oldest entries that are not pinned until a weight fits.
  method MakeRoom(weight: nat) returns (evicted: seq<nat>)
    requires Valid()
    modifies Repr
    ensures Valid() && Repr == old(Repr) && table.Keys <= old(table).Keys
  {
    evicted := [];
    var n := oldest;
    ghost var i := 0;
    while n != null && used + weight > capacity
      invariant Valid() && Repr == old(Repr) && table.Keys <= old(table).Keys
      invariant i <= |order| && n == if i == |order| then null else order[i]
      decreases |order| - i
    {
      var next := n.newer;
      if n.pins == 0 {
        Unlink(n, i);
        evicted := evicted + [n.key];
      } else {
        i := i + 1;
      }
      n := next;
    }
  }

  // Removes an entry and all that were made of it, directly or through others.
  method Invalidate(key: nat) returns (removed: seq<nat>)
    requires Valid()
    modifies Repr
    ensures Valid() && Repr == old(Repr) && key !in table && table.Keys <= old(table).Keys
  {
    removed := [];
    if key in table {
      ghost var i :| 0 <= i < |order| && order[i] == table[key];
      Unlink(table[key], i);
      removed := [key];
    }
    var changed := [key];
    while changed != []
      invariant Valid() && Repr == old(Repr) && key !in table && table.Keys <= old(table).Keys
      decreases |order|, |changed|
    {
      var k := changed[0];
      changed := changed[1..];
      var n := oldest;
      ghost var i, before, length := 0, |order|, |changed|;
      while n != null
        invariant Valid() && Repr == old(Repr) && key !in table && table.Keys <= old(table).Keys
        invariant i <= |order| && n == if i == |order| then null else order[i]
        invariant |order| < before || (|order| == before && |changed| == length)
        decreases |order| - i
      {
        var next := n.newer;
        if k in n.sources {
          Unlink(n, i);
          removed, changed := removed + [n.key], changed + [n.key];
        } else {
          i := i + 1;
        }
        n := next;
      }
    }
  }

  // Stores a new version of an entry, which keeps the pins. A lifetime of 0 is the default one.
  method Put(key: nat, value: int, weight: nat, lifetime: nat, sources: set<nat>, now: nat) returns (stored: bool, evicted: seq<nat>)
    requires Valid() && key !in sources
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr)) && (stored <==> key in table)
    ensures stored ==> table[key].value == value && used <= capacity
  {
    var pins := if key in table then table[key].pins else 0;
    var removed := Invalidate(key);
    evicted := MakeRoom(weight);
    stored := used + weight <= capacity;
    if stored {
      var n := new Node(key, value, weight, if lifetime == 0 then defaultLifetime else lifetime, sources, pins, now);
      Link(n);
    }
  }

  method Pin(key: nat, by_: int) returns (known: bool)
    requires Valid()
    modifies Repr
    ensures Valid() && Repr == old(Repr) && (known <==> key in old(table)) && table == old(table)
  {
    known := key in table;
    if known {
      var n := table[key];
      n.pins := if n.pins + by_ < 0 then 0 else n.pins + by_;
    }
  }

  // The keys, the newest first.
  method Keys() returns (keys: seq<nat>)
    requires Valid()
    ensures |keys| == |order|
  {
    keys := [];
    var n := newest;
    ghost var i := |order|;
    while n != null
      invariant 0 <= i <= |order| && n == (if i == 0 then null else order[i - 1]) && |keys| + i == |order|
      decreases i
    {
      keys := keys + [n.key];
      n := n.older;
      i := i - 1;
    }
  }
}

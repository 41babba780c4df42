// The routing table of a node in a distributed hash table: buckets of contacts by the distance of their numbers, spare contacts for
// those that stop to answer, and the search for the nodes that are nearest to a number.

const BITS: nat := 8

datatype Contact = Contact(id: bv8, port: nat)

datatype Seen = Fresh | Known | Spare | Ignored

// The distance of two nodes: the bits in which their numbers differ.
function Distance(a: bv8, b: bv8): nat { (a ^ b) as nat }

// The number of binary digits of `d`.
function Length(d: nat): nat
{
  if d == 0 then 0
  else 1 + Length(d / 2)
}

// Enters a contact into a sequence that is sorted by distance from `target`.
function Enter(cs: seq<Contact>, c: Contact, target: bv8): seq<Contact>
  ensures |Enter(cs, c, target)| == |cs| + 1
  ensures forall x :: x in Enter(cs, c, target) <==> x == c || x in cs
{
  if cs == [] || Distance(c.id, target) < Distance(cs[0].id, target) then [c] + cs
  else
    assert cs == [cs[0]] + cs[1..];
    [cs[0]] + Enter(cs[1..], c, target)
}

function Sorted(cs: seq<Contact>, target: bv8): seq<Contact>
  ensures |Sorted(cs, target)| == |cs|
{
  if cs == [] then [] else Enter(Sorted(cs[1..], target), cs[0], target)
}

function Place(cs: seq<Contact>, id: bv8): nat
  ensures Place(cs, id) <= |cs|
  ensures Place(cs, id) < |cs| ==> cs[Place(cs, id)].id == id
  ensures Place(cs, id) == |cs| ==> forall c <- cs :: c.id != id
{
  if cs == [] || cs[0].id == id then 0 else 1 + Place(cs[1..], id)
}

function FirstOf(cs: seq<Contact>, n: nat): seq<Contact>
  ensures |FirstOf(cs, n)| <= n && |FirstOf(cs, n)| <= |cs|
{
  if |cs| <= n then cs else cs[..n]
}

// At most `room` contacts, the one that was seen last at the end, and as many spare ones.
class Bucket {
  const room: nat
  var contacts: seq<Contact>
  var spares: seq<Contact>
  var failures: map<bv8, int>

  ghost predicate Valid()
    reads this
  {
    room > 0 && |contacts| <= room && |spares| <= room
    && (forall id <- failures :: Place(contacts, id) < |contacts|)
  }

  constructor (room: nat)
    requires room > 0
    ensures Valid() && contacts == [] && spares == [] && this.room == room
  {
    this.room := room;
    contacts, spares, failures := [], [], map[];
  }

  // A node was heard of.
  method See(c: Contact) returns (seen: Seen)
    requires Valid()
    modifies this
    ensures Valid()
    ensures seen.Fresh? ==> |contacts| == |old(contacts)| + 1
    ensures seen.Known? ==> |contacts| == |old(contacts)|
  {
    var i := Place(contacts, c.id);
    if i < |contacts| {
      var others := contacts[..i] + contacts[i + 1..];
      Keeps(contacts, i, c);
      contacts := others + [c];
      failures := failures - {c.id};
      return Known;
    }
    if |contacts| < room {
      KeepsAll(contacts, c);
      contacts := contacts + [c];
      return Fresh;
    }
    var j := Place(spares, c.id);
    if j < |spares| {
      spares := spares[..j] + spares[j + 1..] + [c];
      return Spare;
    }
    if |spares| == room {
      spares := spares[1..];
    }
    spares := spares + [c];
    seen := Spare;
  }

  // A node did not answer. After `limit` times in a row it leaves the bucket, if there is a spare contact that takes its place: the
  // one of them that was seen last.
  method Fail(id: bv8, limit: nat) returns (gone: bool)
    requires Valid()
    modifies this
    ensures Valid()
    ensures !gone ==> contacts == old(contacts)
  {
    var i := Place(contacts, id);
    if i == |contacts| {
      var j := Place(spares, id);
      if j < |spares| {
        spares := spares[..j] + spares[j + 1..];
      }
      return false;
    }
    var n := 1 + if id in failures then failures[id] else 0;
    failures := failures[id := n];
    if n < limit || spares == [] {
      return false;
    }
    var last := spares[|spares| - 1];
    failures := failures - {id};
    Keeps(contacts, i, last);
    contacts := contacts[..i] + contacts[i + 1..] + [last];
    spares := spares[..|spares| - 1];
    gone := true;
  }
}

lemma KeepsAll(cs: seq<Contact>, c: Contact)
  ensures forall id :: Place(cs, id) < |cs| ==> Place(cs + [c], id) < |cs + [c]|
{
  forall id | Place(cs, id) < |cs|
    ensures Place(cs + [c], id) < |cs + [c]|
  {
    assert (cs + [c])[Place(cs, id)].id == id;
    assert (cs + [c])[Place(cs, id)] in cs + [c];
  }
}

// Without its contact at `i`, a sequence still has the other numbers.
lemma Keeps(cs: seq<Contact>, i: nat, c: Contact)
  requires i < |cs|
  ensures var ds := cs[..i] + cs[i + 1..] + [c];
    forall id :: Place(cs, id) < |cs| && id != cs[i].id ==> Place(ds, id) < |ds|
{
  var ds := cs[..i] + cs[i + 1..] + [c];
  forall id | Place(cs, id) < |cs| && id != cs[i].id
    ensures Place(ds, id) < |ds|
  {
    var p := Place(cs, id);
    assert ds[if p < i then p else p - 1] == cs[p];
    assert cs[p] in ds;
  }
}

// What a node says when it is asked for the nodes that it knows near a number.
trait Network extends object {
  method Ask(c: Contact, target: bv8) returns (near: seq<Contact>, answered: bool)
    modifies this
}

class Table {
  const own: bv8
  const room: nat
  const buckets: seq<Bucket>
  ghost var Repr: set<object>

  ghost predicate Valid()
    reads this, Repr
  {
    this in Repr && room > 0 && |buckets| == BITS && this !in (set b <- buckets :: b as object)
    && (forall b <- buckets :: b in Repr && b.Valid() && b.room == room)
    && (forall i, j | 0 <= i < j < |buckets| :: buckets[i] != buckets[j])
  }

  constructor (own: bv8, room: nat)
    requires room > 0
    ensures Valid() && fresh(Repr) && this.own == own && this.room == room
  {
    this.own, this.room := own, room;
    var bs: seq<Bucket> := [];
    while |bs| < BITS
      invariant |bs| <= BITS && (forall b <- bs :: fresh(b) && b.Valid() && b.room == room)
      invariant forall i, j | 0 <= i < j < |bs| :: bs[i] != bs[j]
    {
      var b := new Bucket(room);
      bs := bs + [b];
    }
    buckets := bs;
    Repr := {this} + set b <- bs :: b as object;
  }

  // The number of the bucket for another node: that of the highest bit in which it differs from this one.
  function Index(id: bv8): nat
    requires id != own && Valid()
    reads this, Repr
    ensures Index(id) < |buckets|
  {
    var n := Length(Distance(id, own));
    if n == 0 then 0 else if n > BITS then BITS - 1 else n - 1
  }

  method See(c: Contact) returns (seen: Seen)
    requires Valid()
    modifies Repr
    ensures Valid() && Repr == old(Repr)
  {
    if c.id == own {
      return Ignored;
    }
    seen := buckets[Index(c.id)].See(c);
  }

  method Fail(id: bv8, limit: nat) returns (gone: bool)
    requires Valid()
    modifies Repr
    ensures Valid() && Repr == old(Repr)
  {
    gone := false;
    if id != own {
      gone := buckets[Index(id)].Fail(id, limit);
    }
  }

  // The `n` contacts that are nearest to `target`.
  method Nearest(target: bv8, n: nat) returns (near: seq<Contact>)
    requires Valid()
    ensures |near| <= n
  {
    var all: seq<Contact> := [];
    for i := 0 to BITS {
      all := all + buckets[i].contacts;
    }
    near := FirstOf(Sorted(all, target), n);
  }

  // Asks node after node, always the nearest that was not asked yet among the `room` nearest that are known.
  method Search(net: Network, target: bv8, limit: nat) returns (found: seq<Contact>, asked: seq<bv8>)
    requires Valid() && net !in Repr
    modifies Repr, net
    ensures Valid() && |found| <= room
  {
    found := Nearest(target, room);
    asked := [];
    var fuel := 256;
    while fuel > 0
      invariant Valid() && |found| <= room && Repr == old(Repr)
    {
      fuel := fuel - 1;
      var i := 0;
      while i < |found| && found[i].id in asked
        invariant i <= |found|
      {
        i := i + 1;
      }
      if i == |found| {
        break;
      }
      var c := found[i];
      asked := asked + [c.id];
      var near, answered := net.Ask(c, target);
      if answered {
        var s := See(c);
        for k := 0 to |near| {
          if near[k].id != own && near[k].id !in asked && Place(found, near[k].id) == |found| {
            found := Enter(found, near[k], target);
          }
        }
        found := FirstOf(found, room);
      } else {
        found := found[..i] + found[i + 1..];
        var gone := Fail(c.id, limit);
      }
    }
  }
}

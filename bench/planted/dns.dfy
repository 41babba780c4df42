// A resolver of names: a cache that keeps the records that were used last, with times to live and remembered failures, in front of
// servers behind a trait: a zone of its own, and a forwarder that asks one of two others.

datatype Data = Address(ip: nat) | Alias(target: string)

datatype Answer = Records(data: seq<Data>, ttl: nat) | Missing(ttl: nat) | Failure

datatype Entry = Entry(answer: Answer, expires: nat, hits: nat)

datatype Result = Resolved(ips: seq<nat>, chain: seq<string>) | NoName(name: string) | Broken(reason: string)

trait Server extends object {
  ghost var Repr: set<object>

  ghost predicate Valid()
    reads this, Repr
    ensures Valid() ==> this in Repr

  method Ask(name: string) returns (a: Answer)
    requires Valid()
    modifies Repr
    decreases Repr
    ensures Valid() && Repr == old(Repr)
    ensures a.Records? ==> a.data != []
}

class Zone extends Server {
  var records: map<string, (seq<Data>, nat)>
  const negative: nat
  var up: bool
  var asked: nat

  ghost predicate Valid()
    reads this, Repr
    ensures Valid() ==> this in Repr
  {
    Repr == {this} && forall n <- records :: records[n].0 != []
  }

  constructor (negative: nat)
    ensures Valid() && fresh(Repr) && this.negative == negative && records == map[]
  {
    this.negative := negative;
    records, up, asked := map[], true, 0;
    Repr := {this};
  }

  method Switch(on: bool)
    requires Valid()
    modifies this
    ensures Valid() && up == on && Repr == old(Repr) && records == old(records)
  {
    up := on;
  }

  // Adds a record to a name. All records of a name live as long as the one that lives shortest; an alias stands alone.
  method Put(name: string, d: Data, ttl: nat)
    requires Valid()
    modifies this
    ensures Valid() && name in records && Repr == old(Repr)
  {
    if name !in records || d.Alias? || records[name].0[0].Alias? {
      records := records[name := ([d], ttl)];
    } else {
      var (ds, t) := records[name];
      records := records[name := ((if d in ds then ds else ds + [d]), if ttl < t then ttl else t)];
    }
  }

  method Ask(name: string) returns (a: Answer)
    requires Valid()
    modifies Repr
    decreases Repr
    ensures Valid() && Repr == old(Repr)
    ensures a.Records? ==> a.data != []
  {
    asked := asked + 1;
    if !up {
      a := Failure;
    } else if name in records {
      a := Records(records[name].0, records[name].1);
    } else {
      a := Missing(negative);
    }
  }
}

// Asks a second server if the first one fails, and stays with the one that answered.
class Forwarder extends Server {
  var first: Server
  var second: Server
  var failures: nat

  ghost predicate Valid()
    reads this, Repr
    ensures Valid() ==> this in Repr
  {
    this in Repr && first in Repr && second in Repr && first.Repr <= Repr && second.Repr <= Repr
    && this !in first.Repr && this !in second.Repr && first.Repr !! second.Repr
    && first.Valid() && second.Valid()
  }

  constructor (first: Server, second: Server)
    requires first.Valid() && second.Valid() && first.Repr !! second.Repr
    ensures Valid() && fresh(Repr - first.Repr - second.Repr)
  {
    this.first, this.second, failures := first, second, 0;
    Repr := {this} + first.Repr + second.Repr;
  }

  method Ask(name: string) returns (a: Answer)
    requires Valid()
    modifies Repr
    decreases Repr
    ensures Valid() && Repr == old(Repr)
    ensures a.Records? ==> a.data != []
  {
    a := first.Ask(name);
    if a.Failure? {
      failures := failures + 1;
      a := second.Ask(name);
      if !a.Failure? {
        first, second := second, first;
      }
    }
  }
}

class Resolver {
  const capacity: nat
  const longest: nat
  var entries: map<string, Entry>
  var order: seq<string>
  var hits: nat
  var misses: nat

  ghost predicate Valid()
    reads this
  {
    capacity > 0 && |order| <= capacity
    && (forall n :: n in order <==> n in entries)
    && Distinct(order)
  }

  constructor (capacity: nat, longest: nat)
    requires capacity > 0
    ensures Valid() && entries == map[] && this.capacity == capacity
  {
    this.capacity, this.longest := capacity, longest;
    entries, order, hits, misses := map[], [], 0, 0;
  }

  // What the cache knows at a time, with the time to live that is left. The name becomes the one that was used last.
  method Lookup(name: string, now: nat) returns (a: Answer, known: bool)
    requires Valid()
    modifies this
    ensures Valid() && (known ==> name in entries)
  {
    if name !in entries {
      misses := misses + 1;
      return Failure, false;
    }
    var e := entries[name];
    if e.expires <= now {
      Drop(name);
      misses := misses + 1;
      return Failure, false;
    }
    hits := hits + 1;
    entries := entries[name := e.(hits := e.hits + 1)];
    assert name in order;
    order := Without(order, name) + [name];
    known := true;
    match e.answer {
      case Records(d, _) => a := Records(d, e.expires - now);
      case Missing(_) => a := Missing(e.expires - now);
      case Failure => a := Failure;
    }
  }

  method Drop(name: string)
    requires Valid()
    modifies this
    ensures Valid() && name !in entries && order == Without(old(order), name)
    ensures hits == old(hits) && misses == old(misses)
  {
    entries := entries - {name};
    order := Without(order, name);
  }

  // Remembers an answer. What cannot live at all is not remembered; when the cache is full, an entry that has expired makes room,
  // and otherwise the one whose last use is longest ago.
  method Remember(name: string, a: Answer, now: nat)
    requires Valid()
    modifies this
    ensures Valid()
  {
    if a.Failure? || a.ttl == 0 {
      return;
    }
    var ttl := if a.ttl > longest then longest else a.ttl;
    Drop(name);
    if |order| == capacity {
      var victim := 0;
      var i := 0;
      while i < |order|
        invariant i <= |order| && victim < |order|
      {
        if entries[order[i]].expires <= now {
          victim := i;
          break;
        }
        i := i + 1;
      }
      assert order[victim] in order;
      Drop(order[victim]);
    }
    entries := entries[name := Entry(a, now + ttl, 0)];
    order := order + [name];
  }

  // Follows aliases from the cache and the server to addresses.
  method Resolve(server: Server, name: string, now: nat) returns (r: Result)
    requires Valid() && server.Valid() && this !in server.Repr
    modifies this, server.Repr
    ensures Valid() && server.Valid() && server.Repr == old(server.Repr)
    ensures r.Resolved? ==> |r.chain| <= 8
  {
    var at, chain: seq<string> := name, [];
    while |chain| < 8
      invariant Valid() && server.Valid() && server.Repr == old(server.Repr) && this !in server.Repr
      invariant |chain| <= 8
      decreases 8 - |chain|
    {
      var a, known := Lookup(at, now);
      if !known {
        a := server.Ask(at);
        Remember(at, a, now);
      }
      match a {
        case Failure => return Broken("no answer for " + at);
        case Missing(_) => return NoName(at);
        case Records(d, _) =>
          if d != [] && d[0].Alias? {
            if d[0].target in chain + [at] {
              return Broken("loop at " + at);
            }
            chain, at := chain + [at], d[0].target;
          } else {
            return Resolved(Ips(d), chain);
          }
      }
    }
    r := Broken("chain too long");
  }
}

function Ips(d: seq<Data>): seq<nat> {
  if d == [] then [] else (if d[0].Address? then [d[0].ip] else []) + Ips(d[1..])
}

ghost predicate Distinct(names: seq<string>) {
  forall i, j | 0 <= i < j < |names| :: names[i] != names[j]
}

function Without(names: seq<string>, name: string): seq<string>
  ensures forall n :: n in Without(names, name) <==> n in names && n != name
  ensures |Without(names, name)| <= |names|
  ensures name in names ==> |Without(names, name)| < |names|
  ensures Distinct(names) ==> Distinct(Without(names, name))
{
  if names == [] then []
  else if names[0] == name then
    assert names == [names[0]] + names[1..];
    assert Distinct(names) ==> Distinct(names[1..]);
    Without(names[1..], name)
  else
    assert names == [names[0]] + names[1..];
    assert Distinct(names) ==> Distinct(names[1..]) && names[0] !in names[1..];
    [names[0]] + Without(names[1..], name)
}

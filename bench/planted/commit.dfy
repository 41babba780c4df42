// Two-phase commit: a coordinator that writes its decisions to a log that others implement, and participants that lock keys.

datatype Record = Began(id: nat, parts: seq<nat>) | Decided(id: nat, commit: bool) | Finished(id: nat)

datatype Phase = Voting(yes: set<nat>, deadline: nat) | Ending(commit: bool, acks: set<nat>)

datatype Transaction = Transaction(parts: seq<nat>, phase: Phase)

datatype Message = Prepare(to: nat, id: nat) | Commit(to: nat, id: nat) | Abort(to: nat, id: nat)

trait Log extends object {
  ghost const Repr: set<object>

  // Whether the record is on the disk.
  method Append(r: Record) returns (written: bool)
    modifies Repr

  method ReadAll() returns (records: seq<Record>)
    modifies Repr
}

function ToAll(parts: seq<nat>, make: nat -> Message): seq<Message>
  ensures |ToAll(parts, make)| == |parts|
{
  if parts == [] then [] else [make(parts[0])] + ToAll(parts[1..], make)
}

function Orders(id: nat, parts: seq<nat>, commit: bool): seq<Message> {
  ToAll(parts, (p: nat) => if commit then Commit(p, id) else Abort(p, id))
}

class Coordinator {
  const log: Log
  const patience: nat
  var open: map<nat, Transaction>
  var order: seq<nat>  // The open transactions, the oldest first.
  var next: nat

  ghost predicate Valid()
    reads this
  {
    && this !in log.Repr
    && (forall id <- open :: id < next && id in order && open[id].parts != [])
    && (forall i | 0 <= i < |order| :: order[i] in open && order[i] < next)
    && (forall i, j | 0 <= i < j < |order| :: order[i] != order[j])
  }

  constructor (log: Log, patience: nat)
    ensures Valid() && open == map[] && next == 0 && this.log == log && this.patience == patience
  {
    this.log, this.patience := log, patience;
    open, order, next := map[], [], 0;
  }

  method Begin(parts: seq<nat>, now: nat) returns (id: nat, messages: seq<Message>)
    requires Valid() && parts != []
    modifies this, log.Repr
    ensures Valid() && next == old(next) + 1
    ensures messages != [] ==> id in open && |messages| == |parts|
  {
    id, messages := next, [];
    next := next + 1;
    var written := log.Append(Began(id, parts));
    if written {
      open, order := open[id := Transaction(parts, Voting({}, now + patience))], order + [id];
      messages := ToAll(parts, (p: nat) => Prepare(p, id));
    }
  }

  // A decision is made by its record; without it the decision is to abort.
  method Decide(id: nat, commit: bool) returns (messages: seq<Message>)
    requires Valid() && id in open
    modifies this, log.Repr
    ensures Valid() && order == old(order) && open.Keys == old(open).Keys && next == old(next)
    ensures open[id].phase.Ending? && (open[id].phase.commit ==> commit)
  {
    var t := open[id];
    var written := log.Append(Decided(id, commit));
    var final := commit && written;
    open := open[id := t.(phase := Ending(final, {}))];
    messages := Orders(id, t.parts, final);
  }

  method Vote(id: nat, from: nat, yes: bool) returns (messages: seq<Message>)
    requires Valid()
    modifies this, log.Repr
    ensures Valid() && order == old(order) && next == old(next)
  {
    messages := [];
    if id in open && from in open[id].parts {
      var t := open[id];
      match t.phase {
        case Ending(commit, _) =>
          messages := Orders(id, [from], commit);  // The order was lost.
        case Voting(before, deadline) =>
          if !yes {
            messages := Decide(id, false);
          } else {
            var votes := before + {from};
            open := open[id := t.(phase := Voting(votes, deadline))];
            if forall p <- t.parts :: p in votes {
              messages := Decide(id, true);
            }
          }
      }
    }
  }

  // A participant has done what it was told. The transaction ends when all have.
  method Acknowledge(id: nat, from: nat) returns (ended: bool)
    requires Valid()
    modifies this, log.Repr
    ensures Valid() && next == old(next) && (ended ==> id in old(open) && id !in open)
  {
    ended := false;
    if id in open && open[id].phase.Ending? && from in open[id].parts {
      var t := open[id];
      var acks := t.phase.acks + {from};
      open := open[id := t.(phase := t.phase.(acks := acks))];
      if forall p <- t.parts :: p in acks {
        ended := true;
        var written := log.Append(Finished(id));
        var i :| 0 <= i < |order| && order[i] == id;
        open, order := open - {id}, order[..i] + order[i + 1..];
      }
    }
  }

  // Aborts what has waited for votes too long; repeats the orders to those that have not acknowledged them.
  method Tick(now: nat) returns (messages: seq<Message>)
    requires Valid()
    modifies this, log.Repr
    ensures Valid() && order == old(order)
  {
    messages := [];
    for i := 0 to |order|
      invariant Valid() && order == old(order)
    {
      var id := order[i];
      var t := open[id];
      match t.phase {
        case Voting(_, deadline) =>
          if deadline <= now {
            var aborts := Decide(id, false);
            messages := messages + aborts;
          }
        case Ending(commit, acks) =>
          for k := 0 to |t.parts| {
            if t.parts[k] !in acks {
              messages := messages + Orders(id, [t.parts[k]], commit);
            }
          }
      }
    }
  }

  // Starts again after a crash: the decided transactions go on, the undecided ones are aborted.
  method Recover() returns (messages: seq<Message>)
    requires Valid()
    modifies this, log.Repr
    ensures Valid()
  {
    open, order, next, messages := map[], [], 0, [];
    var records := log.ReadAll();
    for i := 0 to |records|
      invariant Valid()
    {
      match records[i] {
        case Began(id, parts) =>
          if id >= next && parts != [] {
            open, order, next := open[id := Transaction(parts, Voting({}, 0))], order + [id], id + 1;
          }
        case Decided(id, commit) =>
          if id in open {
            open := open[id := open[id].(phase := Ending(commit, {}))];
          }
        case Finished(id) =>
          if id in open {
            var k :| 0 <= k < |order| && order[k] == id;
            open, order := open - {id}, order[..k] + order[k + 1..];
          }
      }
    }
    messages := Tick(0);
  }
}

class Participant {
  var values: map<nat, int>
  var locks: map<nat, nat>                // Keys and the transactions that have locked them.
  var pending: map<nat, seq<(nat, int)>>  // What prepared transactions write.

  ghost predicate Valid()
    reads this
  {
    && (forall k <- locks :: locks[k] in pending)
    && (forall id <- pending :: forall w <- pending[id] :: w.0 in locks && locks[w.0] == id)
  }

  constructor ()
    ensures Valid() && values == map[] && locks == map[] && pending == map[]
  {
    values, locks, pending := map[], map[], map[];
  }

  // Locks what a transaction writes and votes. A refusal leaves no locks.
  method Prepare(id: nat, writes: seq<(nat, int)>) returns (yes: bool)
    requires Valid() && id !in pending
    modifies this
    ensures Valid() && values == old(values)
    ensures yes <==> id in pending
    ensures !yes ==> locks == old(locks)
  {
    var taken := locks;
    for i := 0 to |writes|
      invariant forall k <- locks :: k in taken && taken[k] == locks[k]
      invariant forall k <- taken :: taken[k] == id || (k in locks && taken[k] == locks[k])
      invariant forall j | 0 <= j < i :: writes[j].0 in taken && taken[writes[j].0] == id
    {
      var key := writes[i].0;
      if key in taken && taken[key] != id {
        return false;
      }
      taken := taken[key := id];
    }
    locks, pending, yes := taken, pending[id := writes], true;
  }

  // Ends a transaction; of several writes to a key the last one holds.
  method End(id: nat, commit: bool)
    requires Valid()
    modifies this
    ensures Valid() && pending == old(pending) - {id} && (!commit ==> values == old(values))
  {
    if id in pending {
      if commit {
        for i := 0 to |pending[id]|
          invariant Valid() && pending == old(pending) && locks == old(locks)
        {
          values := values[pending[id][i].0 := pending[id][i].1];
        }
      }
      locks := map k <- locks | locks[k] != id :: locks[k];
      pending := pending - {id};
    }
  }
}

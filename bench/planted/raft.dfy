// A node of the Raft protocol: elections, replication of a log, commitment, and a state machine
// that applies what is committed.
module Raft {
  datatype Command = Put(key: nat, value: int) | Delete(key: nat) | Nothing

  datatype Entry = Entry(term: nat, command: Command)

  datatype Role = Follower | Candidate | Leader

  datatype Message =
    | Vote(term: nat, candidate: nat, lastIndex: nat, lastTerm: nat)
    | Granted(term: nat, voter: nat, yes: bool)
    | Append(term: nat, leader: nat, prevIndex: nat, prevTerm: nat, entries: seq<Entry>, commit: nat)
    | Appended(term: nat, follower: nat, success: bool, index: nat)

  function Min(a: nat, b: nat): nat {
    if a < b then a else b
  }

  // The term of the entry with this number; the first entry has the number 1.
  function TermAt(log: seq<Entry>, index: nat): nat {
    if 1 <= index <= |log| then log[index - 1].term else 0
  }

  // Entries after `prev` that are there already stay; from the first that differs on, the new
  // ones replace those of the log.
  function Merge(log: seq<Entry>, prev: nat, entries: seq<Entry>): seq<Entry>
    requires prev <= |log|
    decreases |entries|
  {
    if entries == [] then log
    else if prev == |log| then log + entries
    else if log[prev].term == entries[0].term then Merge(log, prev + 1, entries[1..])
    else log[..prev] + entries
  }

  class Node {
    const id: nat
    const peers: seq<nat>
    var term: nat
    var votedFor: map<nat, nat>
    var role: Role
    var log: seq<Entry>
    var commit: nat
    var applied: nat
    var store: map<nat, int>
    var votes: set<nat>
    var next: map<nat, nat>
    var match_: map<nat, nat>
    var outbox: seq<(nat, Message)>

    ghost predicate Valid()
      reads this
    {
      && applied <= commit <= |log|
      && (forall p :: p in next ==> 1 <= next[p])
    }

    constructor (id: nat, peers: seq<nat>)
      requires id !in peers
      ensures Valid() && role == Follower && term == 0 && log == []
      ensures this.id == id && this.peers == peers
    {
      this.id := id;
      this.peers := peers;
      term := 0;
      votedFor := map[];
      role := Follower;
      log := [];
      commit := 0;
      applied := 0;
      store := map[];
      votes := {};
      next := map[];
      match_ := map[];
      outbox := [];
    }

    method StepDown(t: nat)
      requires Valid() && t >= term
      modifies this
      ensures Valid() && term == t && role == Follower && log == old(log) && commit == old(commit)
    {
      term := t;
      role := Follower;
      votes := {};
    }

    // The election timer has run out.
    method Timeout()
      requires Valid() && role != Leader
      modifies this
      ensures Valid() && term == old(term) + 1
    {
      term := term + 1;
      role := Candidate;
      votedFor := votedFor[term := id];
      votes := {id};
      if |peers| == 0 {
        Lead();
      } else {
        for i := 0 to |peers|
          invariant Valid() && term == old(term) + 1
        {
          outbox := outbox + [(peers[i], Vote(term, id, |log|, TermAt(log, |log|)))];
        }
      }
    }

    method Lead()
      requires Valid()
      modifies this
      ensures Valid() && term == old(term) && role == Leader
    {
      role := Leader;
      next := map p | p in peers :: |log| + 1;
      match_ := map p | p in peers :: 0;
      log := log + [Entry(term, Nothing)];
      Broadcast();
    }

    method Broadcast()
      requires Valid()
      modifies this
      ensures Valid() && term == old(term) && role == old(role) && log == old(log)
    {
      for i := 0 to |peers|
        invariant Valid() && term == old(term) && role == old(role) && log == old(log)
      {
        Send(peers[i]);
      }
      if |peers| == 0 {
        commit := |log|;
        Apply();
      }
    }

    method Send(to: nat)
      requires Valid()
      modifies this
      ensures Valid() && term == old(term) && role == old(role) && log == old(log)
    {
      if to in next {
        var prev := Min(next[to] - 1, |log|);
        outbox := outbox + [(to, Append(term, id, prev, TermAt(log, prev), log[prev..], commit))];
      }
    }

    method Propose(c: Command) returns (index: nat)
      requires Valid()
      modifies this
      ensures Valid()
    {
      if role != Leader {
        return 0;
      }
      log := log + [Entry(term, c)];
      index := |log|;
      Broadcast();
    }

    method Apply()
      requires Valid()
      modifies this
      ensures Valid() && applied == commit == old(commit)
      ensures term == old(term) && role == old(role) && log == old(log) && next == old(next)
    {
      while applied < commit
        invariant Valid() && commit == old(commit)
        invariant term == old(term) && role == old(role) && log == old(log) && next == old(next)
        decreases commit - applied
      {
        match log[applied].command {
        case Put(k, v) => store := store[k := v];
        case Delete(k) => store := store - {k};
        case Nothing =>
        }
        applied := applied + 1;
      }
    }

    method Receive(m: Message)
      requires Valid()
      modifies this
      ensures Valid() && term >= old(term)
    {
      if m.term > term {
        StepDown(m.term);
      }
      match m
      case Vote(t, c, lastIndex, lastTerm) =>
        var own := TermAt(log, |log|);
        var upToDate := lastTerm > own || (lastTerm == own && lastIndex >= |log|);
        var free := t == term && (t !in votedFor || votedFor[t] == c);
        if free && upToDate {
          votedFor := votedFor[t := c];
        }
        outbox := outbox + [(c, Granted(term, id, free && upToDate))];
      case Granted(t, voter, yes) =>
        if role == Candidate && t == term && yes && voter in peers {
          votes := votes + {voter};
          if 2 * |votes| > |peers| + 1 {
            Lead();
          }
        }
      case Append(t, leader, prevIndex, prevTerm, entries, c) =>
        if t < term || prevIndex > |log| || TermAt(log, prevIndex) != prevTerm || prevIndex < commit {
          outbox := outbox + [(leader, Appended(term, id, false, Min(|log|, prevIndex)))];
        } else {
          role := Follower;
          var merged := Merge(log, prevIndex, entries);
          if |merged| >= commit {
            log := merged;
            var last := prevIndex + |entries|;
            if c > commit && Min(c, last) > commit && Min(c, last) <= |log| {
              commit := Min(c, last);
              Apply();
            }
            outbox := outbox + [(leader, Appended(term, id, true, last))];
          }
        }
      case Appended(t, follower, success, index) =>
        if role == Leader && t == term && follower in next && follower in match_ {
          if success {
            if index > match_[follower] {
              match_ := match_[follower := index];
              next := next[follower := index + 1];
              Advance(index);
            }
          } else {
            next := next[follower := Min(if index > 0 then index else 1, |log| + 1)];
            Send(follower);
          }
        }
    }

    // Commits up to an entry of the own term that a majority has.
    method Advance(index: nat)
      requires Valid()
      modifies this
      ensures Valid() && term == old(term)
    {
      var count := 1;
      for i := 0 to |peers| {
        if peers[i] in match_ && match_[peers[i]] >= index {
          count := count + 1;
        }
      }
      if 2 * count > |peers| + 1 && commit < index <= |log| && TermAt(log, index) == term {
        commit := index;
        Apply();
        Broadcast();
      }
    }
  }
}

// A session as a state machine, with messages as a datatype and a quota in real numbers.

datatype State = Idle | Open(user: string, budget: real) | Closed(reason: string)
datatype Reply = Granted(rest: real) | Denied(state: State)

method Charge(s: State, cost: real) returns (t: State, reply: Reply)
  requires cost >= 0.0
  ensures s.Open? && cost <= s.budget ==> t == Open(s.user, s.budget - cost) && reply == Granted(s.budget - cost)
  ensures s.Open? && cost > s.budget ==> t == Closed("quota") && reply == Denied(s)
  ensures !s.Open? ==> t == s && reply == Denied(s)
{
  match s
  case Open(user, budget) =>
    if cost <= budget {
      t, reply := Open(user, budget - cost), Granted(budget - cost);
    } else {
      t, reply := Closed("quota"), Denied(s);
    }
  case _ =>
    t, reply := s, Denied(s);
}

class Session {
  var state: State
  var log: seq<Reply>

  method Login(user: string, budget: real) returns (ok: bool)
    modifies this
    ensures ok <==> old(state) == Idle && budget > 0.0
    ensures ok ==> state == Open(user, budget)
    ensures !ok ==> state == old(state)
    ensures log == old(log)
  {
    ok := state == Idle && budget > 0.0;
    if ok { state := Open(user, budget); }
  }

  method Request(cost: real)
    requires cost >= 0.0
    modifies this
    ensures |log| == |old(log)| + 1 && log[..|old(log)|] == old(log)
    ensures old(state).Open? && cost <= old(state).budget ==> log[|old(log)|] == Granted(old(state).budget - cost) && state == Open(old(state).user, old(state).budget - cost)
    ensures !(old(state).Open? && cost <= old(state).budget) ==> log[|old(log)|] == Denied(old(state))
    ensures old(state).Open? && cost > old(state).budget ==> state == Closed("quota")
    ensures !old(state).Open? ==> state == old(state)
  {
    var reply;
    state, reply := Charge(state, cost);
    log := log + [reply];
  }
}

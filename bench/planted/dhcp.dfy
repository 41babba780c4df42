// A server that leases addresses to clients, and the states of a client: offers that expire, leases, renewal, release, addresses that
// somebody else uses, fixed addresses of some clients. Times are seconds, addresses numbers.

datatype Kind = Discover | Request | Release | Decline

datatype Message = Message(kind: Kind, client: nat, wanted: nat, now: nat)

datatype Reply = Offer(address: nat, until: nat) | Ack(address: nat, until: nat) | Nak | Silent

// An address is free, was offered, is leased, or must not be used for a while.
datatype Use = Free | Offered(client: nat, until: nat) | Leased(client: nat, until: nat) | Blocked(until: nat)

datatype Phase = Init | Selecting | Bound | Renewing | Rebinding

class Server {
  const first: nat
  const size: nat
  const leaseTime: nat
  const offerTime: nat
  var uses: seq<Use>
  var last: map<nat, nat>
  var fixed: map<nat, nat>
  var grants: nat

  ghost predicate Valid()
    reads this
  {
    |uses| == size && first > 0 && leaseTime > 0
    && (forall c <- fixed :: first <= fixed[c] < first + size)
    && (forall c <- last :: first <= last[c] < first + size)
  }

  constructor (first: nat, size: nat, leaseTime: nat, offerTime: nat)
    requires first > 0 && leaseTime > 0
    ensures Valid() && fixed == map[] && last == map[] && this.first == first && this.size == size
    ensures this.leaseTime == leaseTime && this.offerTime == offerTime && grants == 0
  {
    this.first, this.size, this.leaseTime, this.offerTime := first, size, leaseTime, offerTime;
    uses := seq(size, _ => Free);
    last, fixed, grants := map[], map[], 0;
  }

  // Keeps an address for one client. A client or an address that has one already is refused.
  method Fix(client: nat, address: nat) returns (ok: bool)
    requires Valid()
    modifies this
    ensures Valid() && (ok ==> client in fixed && fixed[client] == address)
    ensures uses == old(uses)
  {
    ok := first <= address < first + size && client !in fixed && address !in fixed.Values;
    if ok {
      fixed := fixed[client := address];
    }
  }

  predicate InPool(address: nat)
    reads this
  {
    first <= address < first + size
  }

  // What an address is used for at a time: what has expired does not count.
  function UseAt(i: nat, now: nat): Use
    requires Valid() && i < size
    reads this
  {
    if uses[i].Free? || uses[i].until <= now then Free else uses[i]
  }

  // Whether a client may have an address: it is free or the client's own, and nobody else's fixed one.
  predicate Allowed(client: nat, address: nat, now: nat)
    requires Valid()
    reads this
  {
    InPool(address)
    && (if client in fixed then fixed[client] == address else address !in fixed.Values)
    && match UseAt(address - first, now)
       case Free => true
       case Offered(c, _) => c == client
       case Leased(c, _) => c == client
       case Blocked(_) => false
  }

  // The address that a client gets: its lease, the one it had last, the one it wants, the one that nobody ever had, any one. 0 if there
  // is none.
  method Choose(client: nat, wanted: nat, now: nat) returns (address: nat)
    requires Valid()
    ensures address != 0 ==> Allowed(client, address, now)
  {
    if client in fixed {
      return if Allowed(client, fixed[client], now) then fixed[client] else 0;
    }
    if client in last && Allowed(client, last[client], now) {
      return last[client];
    }
    if Allowed(client, wanted, now) {
      return wanted;
    }
    var second: nat := 0;
    for i := 0 to size
      invariant second != 0 ==> Allowed(client, second, now)
    {
      if Allowed(client, first + i, now) {
        if first + i !in last.Values {
          return first + i;
        }
        if second == 0 {
          second := first + i;
        }
      }
    }
    address := second;
  }

  // Takes back what was offered to a client, except for one address.
  method Withdraw(client: nat, except: nat)
    requires Valid()
    modifies this`uses
    ensures Valid()
    ensures forall i | 0 <= i < size && !old(uses[i]).Offered? :: uses[i] == old(uses[i])
  {
    for i := 0 to size
      invariant Valid()
      invariant forall k | 0 <= k < size && !old(uses[k]).Offered? :: uses[k] == old(uses[k])
    {
      if uses[i].Offered? && uses[i].client == client && first + i != except {
        uses := uses[i := Free];
      }
    }
  }

  method Handle(m: Message) returns (r: Reply)
    requires Valid()
    modifies this
    ensures Valid() && fixed == old(fixed)
    ensures r.Ack? ==> InPool(r.address) && r.until > m.now
  {
    match m.kind {
      case Discover => r := OnDiscover(m);
      case Request => r := OnRequest(m);
      case Release => r := OnRelease(m);
      case Decline => r := OnDecline(m);
    }
  }

  method OnDiscover(m: Message) returns (r: Reply)
    requires Valid()
    modifies this
    ensures Valid() && fixed == old(fixed) && (r.Offer? || r.Silent?)
  {
    var a := Choose(m.client, m.wanted, m.now);
    if a == 0 {
      return Silent;
    }
    Withdraw(m.client, a);
    if !uses[a - first].Leased? || uses[a - first].until <= m.now {
      uses := uses[a - first := Offered(m.client, m.now + offerTime)];
    }
    r := Offer(a, m.now + leaseTime);
  }

  // Only what was offered to the client or what it has is granted; others may be asked for what the server does not know.
  method OnRequest(m: Message) returns (r: Reply)
    requires Valid()
    modifies this
    ensures Valid() && fixed == old(fixed)
    ensures r.Ack? ==> r.address == m.wanted && InPool(r.address) && r.until > m.now
  {
    if !InPool(m.wanted) {
      Withdraw(m.client, 0);
      return Silent;
    }
    if !Allowed(m.client, m.wanted, m.now) {
      return Nak;
    }
    var u := UseAt(m.wanted - first, m.now);
    if u.Free? && !(m.client in last && last[m.client] == m.wanted) {
      return Nak;
    }
    Withdraw(m.client, m.wanted);
    var until := m.now + leaseTime;
    uses := uses[m.wanted - first := Leased(m.client, until)];
    last := last[m.client := m.wanted];
    grants := grants + 1;
    r := Ack(m.wanted, until);
  }

  method OnRelease(m: Message) returns (r: Reply)
    requires Valid()
    modifies this
    ensures Valid() && fixed == old(fixed) && r == Silent
  {
    r := Silent;
    if InPool(m.wanted) {
      var u := UseAt(m.wanted - first, m.now);
      if u.Leased? && u.client == m.client {
        uses := uses[m.wanted - first := Free];
      }
    }
  }

  // The client has seen that somebody else uses the address: it is blocked for the time of a lease, and forgotten as its last one.
  method OnDecline(m: Message) returns (r: Reply)
    requires Valid()
    modifies this
    ensures Valid() && fixed == old(fixed) && r == Silent
  {
    r := Silent;
    if InPool(m.wanted) {
      var u := UseAt(m.wanted - first, m.now);
      if (u.Leased? || u.Offered?) && u.client == m.client {
        uses := uses[m.wanted - first := Blocked(m.now + leaseTime)];
        if m.client in last && last[m.client] == m.wanted {
          last := last - {m.client};
        }
      }
    }
  }

  // How many addresses are free for clients without a fixed one.
  method Left(now: nat) returns (n: nat)
    requires Valid()
    ensures n <= size
  {
    n := 0;
    for i := 0 to size
      invariant n <= i
    {
      if UseAt(i, now).Free? && first + i !in fixed.Values {
        n := n + 1;
      }
    }
  }
}

// A client renews at one half of its lease, asks anybody at seven eighths, and begins anew at the end.
class Client {
  const id: nat
  var phase: Phase
  var address: nat
  var start: nat
  var until: nat

  constructor (id: nat)
    ensures this.id == id && phase == Init && address == 0
  {
    this.id, phase, address, start, until := id, Init, 0, 0, 0;
  }

  // What the client sends at a time, if anything.
  method Tick(now: nat) returns (out: seq<Message>)
    modifies this
    ensures |out| <= 1
  {
    out := [];
    var span := if until > start then until - start else 0;
    if phase.Init? {
      phase := Selecting;
      out := [Message(Discover, id, address, now)];
    } else if phase != Selecting {
      if now >= until {
        phase, address := Init, 0;
      } else if now >= start + span * 7 / 8 {
        phase := Rebinding;
        out := [Message(Request, id, address, now)];
      } else if now >= start + span / 2 {
        phase := Renewing;
        out := [Message(Request, id, address, now)];
      }
    }
  }

  method Receive(r: Reply, now: nat) returns (out: seq<Message>)
    modifies this
    ensures |out| <= 1
  {
    out := [];
    match r {
      case Offer(a, _) =>
        if phase.Selecting? { out := [Message(Request, id, a, now)]; }
      case Ack(a, u) =>
        if !phase.Init? { phase, address, start, until := Bound, a, now, u; }
      case Nak =>
        phase, address := Init, 0;
      case Silent =>
    }
  }
}

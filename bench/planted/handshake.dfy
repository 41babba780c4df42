// A connection in the manner of TCP without data transfer: opening from one or both sides, closing, resets, timers, a table of listeners.

datatype Option<T> = None | Some(value: T)

datatype State =
  | Closed
  | Listen
  | SynSent
  | SynReceived
  | Established
  | FinWait1
  | FinWait2
  | CloseWait
  | Closing
  | LastAck
  | TimeWait

datatype Flags = Flags(syn: bool, ack: bool, fin: bool, rst: bool)

datatype Packet = Packet(flags: Flags, number: nat, acked: nat)

const SYN := Flags(true, false, false, false)
const ACK := Flags(false, true, false, false)
const FIN := Flags(false, true, true, false)
const RST := Flags(false, false, false, true)
const SYNACK := Flags(true, true, false, false)

const RETRIES: nat := 3
const LINGER: nat := 8

datatype Event = Opened | PeerClosed | Finished | Refused | Aborted

class Connection {
  var state: State
  var sent: nat       // The next number that this side uses.
  var confirmed: nat  // All numbers below are acknowledged.
  var expected: nat   // The next number of the other side.
  var passive: bool   // Whether it began by listening.
  var timer: Option<nat>
  var tries: nat
  var events: seq<Event>

  ghost predicate Valid()
    reads this
  {
    confirmed <= sent && tries <= RETRIES
  }

  constructor (number: nat)
    ensures Valid() && state == Closed && sent == number
  {
    state, sent, confirmed, expected := Closed, number, number, 0;
    passive, timer, tries, events := false, None, 0, [];
  }

  method Open(now: nat) returns (out: seq<Packet>)
    requires Valid()
    modifies this
    ensures Valid()
  {
    if state != Closed {
      return [];
    }
    passive := false;
    state := SynSent;
    out := [Packet(SYN, sent, 0)];
    sent := sent + 1;
    StartTimer(now);
  }

  method Wait()
    requires Valid()
    modifies this
    ensures Valid()
  {
    if state == Closed {
      state, passive := Listen, true;
    }
  }

  method StartTimer(now: nat)
    requires Valid()
    modifies this
    ensures Valid() && state == old(state) && sent == old(sent)
    ensures confirmed == old(confirmed) && events == old(events)
  {
    timer, tries := Some(now + 1), 0;
  }

  // Closes this side; the other one may still send.
  method Close(now: nat) returns (out: seq<Packet>)
    requires Valid()
    modifies this
    ensures Valid()
  {
    match state {
      case SynReceived | Established =>
        out := [Packet(FIN, sent, expected)];
        state, sent := FinWait1, sent + 1;
        StartTimer(now);
      case CloseWait =>
        out := [Packet(FIN, sent, expected)];
        state, sent := LastAck, sent + 1;
        StartTimer(now);
      case Listen | SynSent =>
        out := [];
        End(Finished);
      case _ =>
        out := [];
    }
  }

  method End(event: Event)
    requires Valid()
    modifies this
    ensures Valid() && state == Closed && events == old(events) + [event]
  {
    state, timer, events := Closed, None, events + [event];
  }

  method Receive(p: Packet, now: nat) returns (out: seq<Packet>)
    requires Valid()
    modifies this
    ensures Valid()
  {
    if state == Closed {
      return if p.flags.rst then [] else [Packet(RST, p.acked, 0)];
    }
    if state == Listen {
      out := ReceiveFirst(p, now);
      return;
    }
    if p.flags.rst {
      Reset(p);
      return [];
    }
    if state == SynSent {
      out := ReceiveAnswer(p, now);
      return;
    }
    // A repeated packet is acknowledged again.
    if p.flags.syn || (p.flags.fin && p.number < expected) {
      return [Packet(ACK, sent, expected)];
    }
    if p.flags.ack && confirmed < p.acked <= sent {
      confirmed := p.acked;
    }
    if confirmed == sent {
      Acknowledged(now);
    }
    if p.flags.fin && p.number == expected && state != Closed {
      out := ReceiveFin(now);
      return;
    }
    return [];
  }

  method ReceiveFirst(p: Packet, now: nat) returns (out: seq<Packet>)
    requires Valid()
    modifies this
    ensures Valid()
  {
    if p.flags.rst {
      return [];
    }
    if p.flags.ack {
      return [Packet(RST, p.acked, 0)];
    }
    if !p.flags.syn {
      return [];
    }
    expected := p.number + 1;
    state := SynReceived;
    out := [Packet(SYNACK, sent, expected)];
    sent := sent + 1;
    StartTimer(now);
  }

  // An answer to the own opening, or an opening from the other side at the same time.
  method ReceiveAnswer(p: Packet, now: nat) returns (out: seq<Packet>)
    requires Valid()
    modifies this
    ensures Valid()
  {
    if p.flags.ack && p.acked != sent {
      return [Packet(RST, p.acked, 0)];
    }
    if !p.flags.syn {
      return [];
    }
    expected := p.number + 1;
    if p.flags.ack {
      confirmed := sent;
      state, timer, events := Established, None, events + [Opened];
      return [Packet(ACK, sent, expected)];
    }
    state := SynReceived;
    StartTimer(now);
    return [Packet(SYNACK, if sent > 0 then sent - 1 else 0, expected)];
  }

  // Everything that was sent is acknowledged.
  method Acknowledged(now: nat)
    requires Valid()
    modifies this
    ensures Valid()
  {
    match state {
      case SynReceived =>
        state, timer, events := Established, None, events + [Opened];
      case FinWait1 =>
        state, timer := FinWait2, None;
      case Closing =>
        state, timer := TimeWait, Some(now + LINGER);
      case LastAck =>
        End(Finished);
      case _ =>
    }
  }

  method ReceiveFin(now: nat) returns (out: seq<Packet>)
    requires Valid()
    modifies this
    ensures Valid()
  {
    expected := expected + 1;
    out := [Packet(ACK, sent, expected)];
    match state {
      case SynReceived | Established =>
        state, events := CloseWait, events + [PeerClosed];
      case FinWait1 =>
        state := Closing;
      case FinWait2 =>
        state, timer := TimeWait, Some(now + LINGER);
      case _ =>
    }
  }

  // A reset counts only if its number is the expected one, or if it answers the opening.
  method Reset(p: Packet)
    requires Valid()
    modifies this
    ensures Valid()
  {
    if state == SynSent {
      if p.number == sent {
        End(Refused);
      }
    } else if p.number == expected {
      if state == SynReceived && passive {
        state, timer, sent := Listen, None, confirmed;
      } else {
        End(Aborted);
      }
    }
  }

  method Tick(now: nat) returns (out: seq<Packet>)
    requires Valid()
    modifies this
    ensures Valid()
  {
    out := [];
    if timer == None || now < timer.value {
      return;
    }
    if state == TimeWait {
      End(Finished);
      return;
    }
    if tries == RETRIES {
      End(Aborted);
      return;
    }
    tries := tries + 1;
    timer := Some(now + Delay(tries));
    if sent > 0 {
      match state {
        case SynSent => out := [Packet(SYN, sent - 1, 0)];
        case SynReceived => out := [Packet(SYNACK, sent - 1, expected)];
        case FinWait1 | Closing | LastAck => out := [Packet(FIN, sent - 1, expected)];
        case _ =>
      }
    }
  }

  static function Delay(tries: nat): nat {
    if tries == 0 then 1 else 2 * Delay(tries - 1)
  }
}

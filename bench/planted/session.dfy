// A chat server's session: a state machine of login, rooms and messages, with sequence numbers, acknowledgements and resending.

datatype Phase = Connected | Greeted(user: string) | Joined(user: string, room: string) | Closed(reason: string)

datatype Request =
  | Hello(name: string, version: nat)
  | Login(password: string)
  | Join(room: string)
  | Leave
  | Say(text: string)
  | Ack(upTo: nat)
  | Ping
  | Quit

datatype Response = Ok | Error(code: nat) | Pong(time: nat) | Message(number: nat, sender: string, text: string)

datatype Room = Room(members: seq<string>, history: seq<(string, string)>)

const MaxFailures: nat := 3
const HistoryLength: nat := 3
const OldestVersion: nat := 2

predicate IsName(name: string) {
  0 < |name| <= 12 && name[0] != ' ' && forall c <- name :: 'a' <= c <= 'z' || '0' <= c <= '9' || c == '_'
}

// The fields of a line, at single spaces.
function Split(line: string): seq<string>
  ensures |Split(line)| >= 1
{
  if line == "" then [""]
  else
    var rest := Split(line[1..]);
    if line[0] == ' ' then [""] + rest else [[line[0]] + rest[0]] + rest[1..]
}

function Number(digits: string): nat
  requires forall i | 0 <= i < |digits| :: '0' <= digits[i] <= '9'
{
  if digits == "" then 0
  else
    var last := digits[|digits| - 1];
    10 * Number(digits[..|digits| - 1]) + (last as nat - '0' as nat)
}

function Unwords(words: seq<string>): string {
  if |words| == 0 then "" else if |words| == 1 then words[0] else words[0] + " " + Unwords(words[1..])
}

datatype Option<T> = None | Some(value: T)

function Parse(line: string): Option<Request> {
  var words := Split(line);
  var isNumber := (w: string) => w != "" && forall i | 0 <= i < |w| :: '0' <= w[i] <= '9';
  if words[0] == "HELLO" && |words| == 2 then Some(Hello(words[1], 1))
  else if words[0] == "HELLO" && |words| == 3 && isNumber(words[2]) then Some(Hello(words[1], Number(words[2])))
  else if words[0] == "LOGIN" && |words| == 2 then Some(Login(words[1]))
  else if words[0] == "JOIN" && |words| == 2 then Some(Join(words[1]))
  else if words == ["LEAVE"] then Some(Leave)
  else if words[0] == "SAY" && |words| >= 2 then Some(Say(Unwords(words[1..])))
  else if words[0] == "ACK" && |words| == 2 && isNumber(words[1]) then Some(Ack(Number(words[1])))
  else if words == ["PING"] then Some(Ping)
  else if words == ["QUIT"] then Some(Quit)
  else None
}

function Without(members: seq<string>, name: string): seq<string>
  ensures |Without(members, name)| <= |members|
{
  if members == [] then [] else (if members[0] == name then [] else [members[0]]) + Without(members[1..], name)
}

class Session {
  var phase: Phase
  var pending: string  // The name of the greeting, until the login.
  var failures: nat
  var next: nat
  var unacknowledged: seq<Response>
  const passwords: map<string, string>

  ghost predicate Valid()
    reads this
  {
    && failures <= MaxFailures
    && |unacknowledged| <= next
    && (forall i | 0 <= i < |unacknowledged| ::
          unacknowledged[i].Message? && unacknowledged[i].number == next - |unacknowledged| + i)
    && (failures == MaxFailures ==> phase.Closed?)
  }

  constructor (passwords: map<string, string>)
    ensures Valid() && phase == Connected && next == 0
  {
    this.passwords := passwords;
    phase, pending, failures, next, unacknowledged := Connected, "", 0, 0, [];
  }

  // Queues a message for this client; it stays until it is acknowledged.
  method Deliver(sender: string, text: string) returns (m: Response)
    requires Valid()
    modifies this
    ensures Valid() && m == Message(old(next), sender, text)
    ensures phase == old(phase) && next == old(next) + 1
  {
    m := Message(next, sender, text);
    unacknowledged := unacknowledged + [m];
    next := next + 1;
  }

  method Acknowledge(upTo: nat) returns (r: Response)
    requires Valid()
    modifies this
    ensures Valid()
    ensures phase == old(phase) && next == old(next)
  {
    var first := next - |unacknowledged|;
    if upTo >= next {
      r := Error(416);
    } else {
      if upTo >= first {
        unacknowledged := unacknowledged[upTo - first + 1..];
      }
      r := Ok;
    }
  }

  method Authenticate(password: string) returns (r: Response)
    requires Valid() && phase.Connected?
    modifies this
    ensures Valid()
    ensures r == Ok <==> phase.Greeted?
    ensures unacknowledged == old(unacknowledged)
  {
    if pending in passwords && passwords[pending] == password {
      phase, failures := Greeted(pending), 0;
      r := Ok;
    } else {
      failures := failures + 1;
      r := Error(401);
      if failures == MaxFailures {
        phase := Closed("too many attempts");
      }
    }
  }

  // Answers a request, and changes the rooms.
  method Handle(request: Request, rooms: map<string, Room>, time: nat) returns (rs: seq<Response>, changed: map<string, Room>)
    requires Valid()
    modifies this
    ensures Valid()
    ensures old(phase).Closed? ==> phase == old(phase) && changed == rooms
    ensures |rs| > 0
  {
    changed := rooms;
    rs := [Error(400)];
    match phase {
      case Closed(_) =>
        rs := [Error(410)];
      case Connected =>
        match request {
          case Hello(name, version) =>
            if version < OldestVersion {
              rs, phase := [Error(426)], Closed("old version");
            } else if IsName(name) {
              pending, rs := name, [Ok];
            }
          case Login(password) =>
            if pending != "" {
              var r := Authenticate(password);
              rs := [r];
            }
          case Ping => rs := [Pong(time)];
          case Quit => rs, phase := [Ok], Closed("quit");
          case _ => rs := [Error(401)];
        }
      case Greeted(user) =>
        match request {
          case Join(name) =>
            if IsName(name) {
              var room := if name in rooms then rooms[name] else Room([], []);
              if user in room.members {
                rs := [Error(409)];
              } else {
                changed := rooms[name := room.(members := room.members + [user])];
                phase := Joined(user, name);
                rs := [Ok] + Replay(room.history);
              }
            }
          case Ack(upTo) => var r := Acknowledge(upTo); rs := [r];
          case Ping => rs := [Pong(time)] + unacknowledged;
          case Quit => rs, phase := [Ok], Closed("quit");
          case _ =>
        }
      case Joined(user, name) =>
        var room := if name in rooms then rooms[name] else Room([], []);
        match request {
          case Say(text) =>
            if text != "" {
              var history := room.history + [(user, text)];
              if |history| > HistoryLength {
                history := history[|history| - HistoryLength..];
              }
              changed, rs := rooms[name := room.(history := history)], [Ok];
            }
          case Ack(upTo) => var r := Acknowledge(upTo); rs := [r];
          case Ping => rs := [Pong(time)] + unacknowledged;
          case Leave =>
            changed := Depart(rooms, user, name);
            rs, phase := [Ok], Greeted(user);
          case Quit =>
            changed := Depart(rooms, user, name);
            rs, phase := [Ok], Closed("quit");
          case _ =>
        }
    }
  }

  static function Replay(history: seq<(string, string)>): seq<Response> {
    seq(|history|, i requires 0 <= i < |history| => Message(i, history[i].0, history[i].1))
  }

  // An empty room goes.
  static function Depart(rooms: map<string, Room>, user: string, name: string): map<string, Room> {
    if name !in rooms then rooms
    else
      var members := Without(rooms[name].members, user);
      if members == [] then rooms - {name} else rooms[name := rooms[name].(members := members)]
  }
}

// A reader of HTTP messages that is fed with text as it arrives: start lines, headers, bodies of known length, chunks, and pipelining.

datatype Option<T> = None | Some(value: T)

datatype Message = Message(method_: string, target: string, headers: map<string, string>, body: string, keep: bool)

datatype State =
  | StartLine
  | Headers
  | Body(left: nat)
  | ChunkSize
  | Chunk(left: nat)
  | ChunkEnd
  | Trailers
  | Closed
  | Broken(reason: string)

function Lower(s: string): string
  ensures |Lower(s)| == |s|
{
  if s == [] then []
  else [if 'A' <= s[0] <= 'Z' then s[0] - 'A' + 'a' else s[0]] + Lower(s[1..])
}

function IndexOf(s: string, c: char): Option<nat>
  ensures IndexOf(s, c).Some? ==> IndexOf(s, c).value < |s| && s[IndexOf(s, c).value] == c
{
  if s == [] then None
  else if s[0] == c then Some(0)
  else
    var i := IndexOf(s[1..], c);
    if i.None? then None else Some(i.value + 1)
}

function Split(s: string, c: char): seq<string>
  ensures Split(s, c) != []
  decreases |s|
{
  var i := IndexOf(s, c);
  if i.None? then [s] else [s[..i.value]] + Split(s[i.value + 1..], c)
}

function TrimLeft(s: string): string
  ensures |TrimLeft(s)| <= |s|
{
  if s != [] && (s[0] == ' ' || s[0] == '\t') then TrimLeft(s[1..]) else s
}

function TrimRight(s: string): string
  ensures |TrimRight(s)| <= |s|
{
  if s != [] && (s[|s| - 1] == ' ' || s[|s| - 1] == '\t') then TrimRight(s[..|s| - 1]) else s
}

function Trim(s: string): string {
  TrimLeft(TrimRight(s))
}

function Digit(c: char): Option<nat> {
  if '0' <= c <= '9' then Some((c - '0') as nat)
  else if 'a' <= c <= 'f' then Some(10 + (c - 'a') as nat)
  else if 'A' <= c <= 'F' then Some(10 + (c - 'A') as nat)
  else None
}

// A number without sign in base 10 or 16.
function Number(s: string, base: nat): Option<nat> {
  if s == [] then None
  else
    var d := Digit(s[|s| - 1]);
    if d.None? || d.value >= base then None
    else if |s| == 1 then d
    else
      var high := Number(s[..|s| - 1], base);
      if high.None? then None else Some(high.value * base + d.value)
}

predicate HasToken(list: string, token: string) {
  exists t <- Split(list, ',') :: Lower(Trim(t)) == token
}

class Reader {
  const limit: nat  // The longest line.
  var state: State
  var line: string
  var method_: string
  var target: string
  var version: string
  var headers: map<string, string>
  var body: string
  var ready: seq<Message>

  constructor (limit: nat)
    ensures this.limit == limit && state == StartLine && ready == [] && line == ""
  {
    this.limit := limit;
    state, line, ready := StartLine, "", [];
    method_, target, version, headers, body := "", "", "", map[], "";
  }

  // Takes the messages that are complete.
  method Take() returns (messages: seq<Message>)
    modifies this
    ensures messages == old(ready) && ready == [] && state == old(state)
  {
    messages, ready := ready, [];
  }

  method Feed(text: string)
    modifies this
    ensures |ready| >= |old(ready)|
  {
    for i := 0 to |text|
      invariant |ready| >= |old(ready)|
    {
      match state
      case Closed =>
      case Broken(_) =>
      case Body(left) => Collect(text[i], left, true);
      case Chunk(left) => Collect(text[i], left, false);
      case _ =>
        if text[i] == '\n' {
          var whole := if line != [] && line[|line| - 1] == '\r' then line[..|line| - 1] else line;
          line := "";
          Line(whole);
        } else if |line| >= limit {
          state := Broken("line too long");
        } else {
          line := line + [text[i]];
        }
    }
  }

  method Collect(c: char, left: nat, last: bool)
    modifies this
    ensures |ready| >= |old(ready)|
  {
    body := body + [c];
    if left > 1 {
      state := if last then Body(left - 1) else Chunk(left - 1);
    } else if last {
      Finish();
    } else {
      state := ChunkEnd;
    }
  }

  method Line(text: string)
    modifies this
    ensures |ready| >= |old(ready)|
  {
    match state
    case StartLine =>
      // Empty lines in front of a message are skipped.
      if text != "" {
        Start(Split(text, ' '));
      }
    case Headers =>
      if text == "" {
        Begin();
      } else {
        Header(text);
      }
    case ChunkSize =>
      var semicolon := IndexOf(text, ';');
      var size := Number(Trim(if semicolon.Some? then text[..semicolon.value] else text), 16);
      state :=
        if size.None? then Broken("bad chunk size")
        else if size.value == 0 then Trailers
        else Chunk(size.value);
    case ChunkEnd =>
      state := if text == "" then ChunkSize else Broken("chunk without end");
    case Trailers =>
      if text == "" {
        Finish();
      }
    case _ =>
      state := Broken("unexpected line");
  }

  method Start(words: seq<string>)
    modifies this
    ensures ready == old(ready)
  {
    if |words| == 3 && words[0] != "" && words[1] != "" && (words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0") {
      method_, target, version := words[0], words[1], words[2];
      headers, body, state := map[], "", Headers;
    } else {
      state := Broken("bad start line");
    }
  }

  // A header that occurs again is joined by a comma.
  method Header(text: string)
    modifies this
    ensures ready == old(ready)
  {
    var colon := IndexOf(text, ':');
    if colon.None? || colon.value == 0 || text[colon.value - 1] == ' ' {
      state := Broken("bad header");
      return;
    }
    var name, value := Lower(text[..colon.value]), Trim(text[colon.value + 1..]);
    headers := headers[name := if name in headers then headers[name] + "," + value else value];
  }

  // The headers are complete; they say how long the body is.
  method Begin()
    modifies this
    ensures |ready| >= |old(ready)|
  {
    if "transfer-encoding" in headers && HasToken(headers["transfer-encoding"], "chunked") {
      state := ChunkSize;
    } else if "content-length" in headers {
      var length := Number(headers["content-length"], 10);
      if length.None? {
        state := Broken("bad length");
      } else if length.value == 0 {
        Finish();
      } else {
        state := Body(length.value);
      }
    } else {
      Finish();
    }
  }

  // HTTP/1.1 keeps the connection unless told otherwise, HTTP/1.0 closes it.
  method Finish()
    modifies this
    ensures |ready| == |old(ready)| + 1
  {
    var c := if "connection" in headers then headers["connection"] else "";
    var keep := if version == "HTTP/1.1" then !HasToken(c, "close") else HasToken(c, "keep-alive");
    ready := ready + [Message(method_, target, headers, body, keep)];
    state := if keep then StartLine else Closed;
  }
}

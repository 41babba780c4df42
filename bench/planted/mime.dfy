// Messages of electronic mail: header fields over several lines, types with parameters, parts within parts, and the two encodings that
// carry bytes over lines of text. Lines end with '\n'.

datatype Option<T> = None | Some(value: T)

datatype Field = Field(name: string, value: string)

datatype Type = Type(main: string, sub: string, params: map<string, string>)

datatype Part = Leaf(headers: seq<Field>, kind: Type, body: string) | Multi(headers: seq<Field>, kind: Type, parts: seq<Part>)

const Plain: Type := Type("text", "plain", map["charset" := "us-ascii"])

function LowerChar(c: char): char { if 'A' <= c <= 'Z' then c - 'A' + 'a' else c }

function Lower(s: string): string
  ensures |Lower(s)| == |s|
{
  seq(|s|, i requires 0 <= i < |s| => LowerChar(s[i]))
}

predicate Blank(c: char) { c == ' ' || c == '\t' }

function TrimLeft(s: string): string
  ensures |TrimLeft(s)| <= |s|
{
  if s != "" && Blank(s[0]) then TrimLeft(s[1..]) else s
}

function Trim(s: string): string
  ensures |Trim(s)| <= |s|
  decreases |s|
{
  var t := TrimLeft(s);
  if t != "" && Blank(t[|t| - 1]) then Trim(t[..|t| - 1]) else t
}

function IndexOf(s: string, c: char): nat
  ensures IndexOf(s, c) <= |s|
  ensures IndexOf(s, c) < |s| ==> s[IndexOf(s, c)] == c
{
  if s == "" || s[0] == c then 0 else 1 + IndexOf(s[1..], c)
}

predicate StartsWith(s: string, p: string) { |p| <= |s| && s[..|p|] == p }

// The lines of a text; the last one may have no end.
function Lines(s: string): seq<string>
  decreases |s|
{
  if s == "" then []
  else
    var i := IndexOf(s, '\n');
    if i == |s| then [s] else [s[..i]] + Lines(s[i + 1..])
}

function Unlines(ls: seq<string>): string {
  if ls == [] then "" else if |ls| == 1 then ls[0] else ls[0] + "\n" + Unlines(ls[1..])
}

// The fields up to the first empty line, and how many lines they take with it. A line that begins with a blank continues the field.
method ReadHeaders(lines: seq<string>) returns (fields: seq<Field>, taken: nat)
  ensures taken <= |lines|
{
  fields, taken := [], 0;
  while taken < |lines| && lines[taken] != ""
    invariant taken <= |lines|
  {
    var l := lines[taken];
    var colon := IndexOf(l, ':');
    if Blank(l[0]) && fields != [] {
      var last := fields[|fields| - 1];
      fields := fields[|fields| - 1 := last.(value := last.value + " " + Trim(l))];
    } else if colon < |l| {
      fields := fields + [Field(Lower(Trim(l[..colon])), Trim(l[colon + 1..]))];
    }
    taken := taken + 1;
  }
  if taken < |lines| {
    taken := taken + 1;
  }
}

function Get(fields: seq<Field>, name: string): Option<string> {
  if fields == [] then None
  else if fields[0].name == name then Some(fields[0].value)
  else Get(fields[1..], name)
}

// The value of a parameter, in quotes or up to a semicolon, and where the next one begins.
method ReadValue(s: string, from: nat) returns (value: string, next: nat)
  requires from <= |s|
  ensures from <= next <= |s|
{
  value, next := "", from;
  if next < |s| && s[next] == '"' {
    next := next + 1;
    while next < |s| && s[next] != '"'
      invariant from <= next <= |s|
    {
      if s[next] == '\\' && next + 1 < |s| {
        next := next + 1;
      }
      value := value + [s[next]];
      next := next + 1;
    }
    var rest := IndexOf(s[next..], ';');
    next := next + rest;
  } else {
    var n := IndexOf(s[from..], ';');
    value, next := Trim(s[from..from + n]), from + n;
  }
  if next < |s| {
    next := next + 1;
  }
}

// A type such as `multipart/mixed; boundary="a b"`. Of two parameters with one name the first counts.
method ReadType(text: string) returns (t: Option<Type>)
{
  var semi := IndexOf(text, ';');
  var name := text[..semi];
  var slash := IndexOf(name, '/');
  if slash == |name| || slash == 0 {
    return None;
  }
  var params: map<string, string> := map[];
  var at := if semi < |text| then semi + 1 else semi;
  while at < |text|
    invariant at <= |text|
    decreases |text| - at
  {
    var eq := IndexOf(text[at..], '=');
    if at + eq >= |text| { break; }
    var key := Lower(Trim(text[at..at + eq]));
    var value, next := ReadValue(text, at + eq + 1);
    if key !in params {
      params := params[key := value];
    }
    at := next;
  }
  t := Some(Type(Lower(Trim(name[..slash])), Lower(Trim(name[slash + 1..])), params));
}

function Digit64(c: char): int
  ensures -1 <= Digit64(c) < 64
{
  if 'A' <= c <= 'Z' then c as int - 'A' as int
  else if 'a' <= c <= 'z' then c as int - 'a' as int + 26
  else if '0' <= c <= '9' then c as int - '0' as int + 52
  else if c == '+' then 62
  else if c == '/' then 63
  else -1
}

// Six bits from each character; what is no digit is left out, and bits that make no whole byte are dropped.
method Decode64(s: string) returns (bytes: string)
  ensures |bytes| <= |s|
{
  bytes := "";
  var bits, count := 0, 0;
  for i := 0 to |s|
    invariant 0 <= count < 8 && 0 <= bits < 256
    invariant |bytes| <= i
  {
    if s[i] == '=' { return; }
    var d := Digit64(s[i]);
    if d >= 0 {
      bits, count := bits * 64 + d, count + 6;
      if count >= 8 {
        count := count - 8;
        var low := [1, 2, 4, 8, 16, 32, 64, 128][count];
        bytes := bytes + [(bits / low % 256) as char];
        bits := bits % low;
      } else {
        bits := bits % 256;
      }
    }
  }
}

function Hex(c: char): int
  ensures -1 <= Hex(c) < 16
{
  if '0' <= c <= '9' then c as int - '0' as int
  else if 'A' <= c <= 'F' then c as int - 'A' as int + 10
  else if 'a' <= c <= 'f' then c as int - 'a' as int + 10
  else -1
}

// "=41" is a byte, '=' at the end of a line joins it with the next one; other uses of '=' stay as they are.
function DecodeQuoted(s: string): string
  ensures |DecodeQuoted(s)| <= |s|
  decreases |s|
{
  if s == "" then ""
  else if s[0] != '=' then [s[0]] + DecodeQuoted(s[1..])
  else if |s| >= 2 && s[1] == '\n' then DecodeQuoted(s[2..])
  else if |s| >= 3 && Hex(s[1]) >= 0 && Hex(s[2]) >= 0 then [(16 * Hex(s[1]) + Hex(s[2])) as char] + DecodeQuoted(s[3..])
  else [s[0]] + DecodeQuoted(s[1..])
}

method Decode(encoding: string, body: string) returns (text: string)
  ensures |text| <= |body|
{
  match Lower(Trim(encoding)) {
    case "base64" => text := Decode64(body);
    case "quoted-printable" => text := DecodeQuoted(body);
    case _ => text := body;
  }
}

// The lines between the boundary lines. What stands in front of the first one or behind the closing one is left out; without a closing
// line the last part goes up to the end.
method SplitParts(lines: seq<string>, boundary: string) returns (parts: seq<seq<string>>)
  ensures forall p <- parts :: |p| < |lines|
{
  parts := [];
  var mark := "--" + boundary;
  var current: seq<string> := [];
  var inside := false;
  for i := 0 to |lines|
    invariant |current| <= i && (inside ==> |current| < i)
    invariant forall p <- parts :: |p| < i
  {
    if lines[i] == mark || lines[i] == mark + "--" {
      if inside { parts := parts + [current]; }
      current := [];
      inside := true;
      if lines[i] != mark { return; }
    } else if inside {
      current := current + [lines[i]];
    }
  }
  if inside {
    parts := parts + [current];
  }
}

// A message or a part of one.
method Parse(lines: seq<string>, fallback: Type) returns (p: Part)
  decreases |lines|, 1
{
  var headers, taken := ReadHeaders(lines);
  var body := lines[taken..];
  var kind := fallback;
  var given := Get(headers, "content-type");
  if given.Some? {
    var t := ReadType(given.value);
    kind := if t.Some? then t.value else Plain;
  }
  if kind.main == "multipart" && "boundary" in kind.params {
    var chunks := SplitParts(body, kind.params["boundary"]);
    var inner := if kind.sub == "digest" then Type("message", "rfc822", map[]) else Plain;
    var parts: seq<Part> := [];
    for i := 0 to |chunks| {
      var q := Parse(chunks[i], inner);
      parts := parts + [q];
    }
    return Multi(headers, kind, parts);
  }
  var encoding := Get(headers, "content-transfer-encoding");
  var text := Unlines(body);
  if encoding.Some? {
    text := Decode(encoding.value, text);
  }
  p := Leaf(headers, kind, text);
}

// The text that a reader shows: of alternatives the last one that it can show, of other parts all texts one behind the other.
function Shown(p: Part, can: string -> bool): Option<string>
  decreases p
{
  match p
  case Leaf(_, t, body) => if t.main == "text" && can(t.sub) then Some(body) else None
  case Multi(_, t, parts) => if t.sub == "alternative" then LastShown(parts, can) else AllShown(parts, can)
}

function LastShown(parts: seq<Part>, can: string -> bool): Option<string>
  decreases parts
{
  if parts == [] then None
  else
    var last := Shown(parts[|parts| - 1], can);
    if last.Some? then last else LastShown(parts[..|parts| - 1], can)
}

function AllShown(parts: seq<Part>, can: string -> bool): Option<string>
  decreases parts
{
  if parts == [] then None
  else match (Shown(parts[0], can), AllShown(parts[1..], can))
    case (Some(a), Some(b)) => Some(a + "\n" + b)
    case (Some(a), None) => Some(a)
    case (None, b) => b
}

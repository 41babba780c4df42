// Addresses of the web: parsing, percent encoding, queries, removal of dots, relative references, printing, a list of redirections.

datatype Option<T> = None | Some(value: T)

datatype Url = Url(scheme: string, host: Option<string>, port: Option<nat>, path: string, query: Option<string>, fragment: Option<string>)

datatype Result = Ok(url: Url) | Bad(reason: string)

predicate Digit(c: char) { '0' <= c <= '9' }

predicate Letter(c: char) { 'a' <= c <= 'z' || 'A' <= c <= 'Z' }

predicate Unreserved(c: char) {
  Letter(c) || Digit(c) || c in "-._~"
}

function Lower(s: string): string
  ensures |Lower(s)| == |s|
{
  seq(|s|, i requires 0 <= i < |s| => if 'A' <= s[i] <= 'Z' then s[i] - 'A' + 'a' else s[i])
}

// The first place of one of some characters; the length if there is none.
function First(s: string, cs: string): nat
  ensures First(s, cs) <= |s|
  ensures First(s, cs) < |s| ==> s[First(s, cs)] in cs
{
  if s == "" || s[0] in cs then 0 else 1 + First(s[1..], cs)
}

function Last(s: string, c: char): Option<nat>
  ensures Last(s, c).Some? ==> Last(s, c).value < |s|
{
  if s == "" then None
  else if s[|s| - 1] == c then Some(|s| - 1)
  else Last(s[..|s| - 1], c)
}

function Starts(s: string, prefix: string): bool {
  |s| >= |prefix| && s[..|prefix|] == prefix
}

function ParseNat(s: string): Option<nat> {
  if s == "" || exists c <- s :: !Digit(c) then None else Some(Value(s))
}

function Value(s: string): nat
  requires forall i :: 0 <= i < |s| ==> Digit(s[i])
{
  if s == "" then 0
  else
    assert Digit(s[|s| - 1]);
    10 * Value(s[..|s| - 1]) + (s[|s| - 1] - '0') as nat
}

function DefaultPort(scheme: string): Option<nat> {
  if scheme == "http" then Some(80) else if scheme == "https" then Some(443) else None
}

method Parse(text: string) returns (r: Result)
{
  var rest := text;
  var fragment, query: Option<string> := None, None;
  var at := First(rest, "#");
  if at < |rest| {
    fragment := Some(rest[at + 1..]);
    rest := rest[..at];
  }
  at := First(rest, "?");
  if at < |rest| {
    query := Some(rest[at + 1..]);
    rest := rest[..at];
  }
  var scheme := "";
  at := First(rest, ":/");
  if at < |rest| && rest[at] == ':' {
    if at == 0 || !Letter(rest[0]) {
      return Bad("scheme");
    }
    scheme := Lower(rest[..at]);
    rest := rest[at + 1..];
  }
  if !Starts(rest, "//") {
    return Ok(Url(scheme, None, None, rest, query, fragment));
  }
  rest := rest[2..];
  at := First(rest, "/");
  var authority, path := rest[..at], rest[at..];
  var user := Last(authority, '@');
  if user.Some? {
    authority := authority[user.value + 1..];
  }
  at := First(authority, ":");
  var host := Lower(authority[..at]);
  var port: Option<nat> := None;
  if at < |authority| && authority[at + 1..] != "" {
    port := ParseNat(authority[at + 1..]);
    if port == None || port.value > 65535 {
      return Bad("port");
    }
    if port == DefaultPort(scheme) {
      port := None;
    }
  }
  if host == "" && (scheme == "http" || scheme == "https") {
    return Bad("host");
  }
  return Ok(Url(scheme, Some(host), port, path, query, fragment));
}

function Decimal(n: nat): string {
  if n < 10 then ['0' + n as char] else Decimal(n / 10) + ['0' + (n % 10) as char]
}

function Print(u: Url): string {
  (if u.scheme == "" then "" else u.scheme + ":")
  + (if u.host.None? then "" else "//" + u.host.value)
  + (if u.port.None? then "" else ":" + Decimal(u.port.value))
  + u.path
  + (if u.query.None? then "" else "?" + u.query.value)
  + (if u.fragment.None? then "" else "#" + u.fragment.value)
}

function Hex(n: nat): char
  requires n < 16
{
  "0123456789ABCDEF"[n]
}

function FromHex(c: char): Option<nat> {
  if Digit(c) then Some((c - '0') as nat)
  else if 'A' <= c <= 'F' then Some(10 + (c - 'A') as nat)
  else if 'a' <= c <= 'f' then Some(10 + (c - 'a') as nat)
  else None
}

// Percent encoding; a space becomes a plus sign.
function Encode(s: string): string
  requires forall i :: 0 <= i < |s| ==> s[i] as int < 256
{
  if s == "" then ""
  else
    var code := s[0] as int;
    (if Unreserved(s[0]) then [s[0]]
     else if s[0] == ' ' then "+"
     else ['%', Hex(code / 16), Hex(code % 16)]) + Encode(s[1..])
}

// A percent sign that is not followed by two digits stays.
function Decode(s: string): string {
  if s == "" then ""
  else if s[0] == '+' then " " + Decode(s[1..])
  else if s[0] == '%' && |s| >= 3 && FromHex(s[1]).Some? && FromHex(s[2]).Some? then
    [(16 * FromHex(s[1]).value + FromHex(s[2]).value) as char] + Decode(s[3..])
  else [s[0]] + Decode(s[1..])
}

function Split(s: string, c: char): seq<string>
  ensures |Split(s, c)| > 0
{
  var at := First(s, [c]);
  if at == |s| then [s] else [s[..at]] + Split(s[at + 1..], c)
}

// The pairs of a query; empty ones are left out, and a name without a sign has an empty value.
function Pairs(query: string): seq<(string, string)> {
  PairsOf(Split(query, '&'))
}

function PairsOf(parts: seq<string>): seq<(string, string)> {
  if parts == [] then []
  else if parts[0] == "" then PairsOf(parts[1..])
  else
    var at := First(parts[0], "=");
    var value := if at < |parts[0]| then parts[0][at + 1..] else "";
    [(Decode(parts[0][..at]), Decode(value))] + PairsOf(parts[1..])
}

// The value of the last pair with a name.
function Lookup(pairs: seq<(string, string)>, name: string): Option<string> {
  if pairs == [] then None
  else if pairs[|pairs| - 1].0 == name then Some(pairs[|pairs| - 1].1)
  else Lookup(pairs[..|pairs| - 1], name)
}

function Join(parts: seq<string>): string {
  if parts == [] then "" else if |parts| == 1 then parts[0] else parts[0] + "/" + Join(parts[1..])
}

// Removes "." and ".." from the parts of an absolute path.
function Clean(parts: seq<string>, done: seq<string>): seq<string>
  decreases |parts|
{
  if parts == [] then done
  else
    var last := |parts| == 1;
    if parts[0] == "." then Clean(parts[1..], if last then done + [""] else done)
    else if parts[0] == ".." then
      var up := if done == [] then [] else done[..|done| - 1];
      Clean(parts[1..], if last then up + [""] else up)
    else Clean(parts[1..], done + [parts[0]])
}

function Normal(path: string): string {
  if path == "" || path[0] != '/' then path else "/" + Join(Clean(Split(path[1..], '/'), []))
}

// Resolves a reference against the address of the document that has it.
function Resolve(base: Url, r: Url): Url {
  if r.scheme != "" then r.(path := Normal(r.path))
  else if r.host.Some? then r.(scheme := base.scheme, path := Normal(r.path))
  else if r.path == "" then
    base.(query := if r.query.Some? then r.query else base.query, fragment := r.fragment)
  else if r.path[0] == '/' then
    base.(path := Normal(r.path), query := r.query, fragment := r.fragment)
  else
    var slash := Last(base.path, '/');
    var folder := if slash.Some? then base.path[..slash.value + 1] else "/";
    base.(path := Normal(folder + r.path), query := r.query, fragment := r.fragment)
}

// Follows redirections from place to place, up to a number of steps.
method Follow(start: Url, moves: map<string, Url>, limit: nat) returns (end: Option<Url>, steps: nat)
  ensures steps <= limit
{
  var u := start;
  steps := 0;
  var key := Print(u.(fragment := None));
  while key in moves
    invariant steps <= limit
    decreases limit - steps
  {
    if steps == limit {
      return None, steps;
    }
    var next := Resolve(u, moves[key]);
    // The fragment goes along, unless the redirection has one.
    u := if next.fragment.None? then next.(fragment := u.fragment) else next;
    key := Print(u.(fragment := None));
    steps := steps + 1;
  }
  return Some(u), steps;
}

// Messages on a wire: numbers in groups of seven bits, tagged fields with lengths, frames with checksums, and a reader that goes on
// after damaged frames.

type Byte = n: nat | n < 256

datatype Reason = Truncated | NumberTooLong | UnknownKind(kind: nat) | TooDeep | BadMark | BadChecksum

datatype Result<T> = Ok(value: T, rest: seq<Byte>) | Error(reason: Reason)

datatype Content =
  | Number(n: nat)
  | Signed(i: int)
  | Text(bytes: seq<Byte>)
  | Series(values: seq<int>)
  | Group(fields: seq<Field>)

datatype Field = Field(tag: nat, content: Content)

const MARK: Byte := 0x7E

// The low groups come first; all but the last have the high bit.
function PutNumber(n: nat): seq<Byte>
  ensures |PutNumber(n)| > 0
{
  if n < 128 then [n] else [n % 128 + 128] + PutNumber(n / 128)
}

// Reads a number of at most `groups` groups.
function GetNumber(bytes: seq<Byte>, groups: nat, scale: nat): Result<nat>
  ensures GetNumber(bytes, groups, scale).Ok? ==> |GetNumber(bytes, groups, scale).rest| < |bytes|
{
  if groups == 0 then Error(NumberTooLong)
  else if bytes == [] then Error(Truncated)
  else if bytes[0] < 128 then Ok(bytes[0] * scale, bytes[1..])
  else
    match GetNumber(bytes[1..], groups - 1, scale * 128)
    case Ok(high, rest) => Ok((bytes[0] - 128) * scale + high, rest)
    case Error(reason) => Error(reason)
}

// Numbers of both signs in the order 0, -1, 1, -2, 2.
function Fold(i: int): nat {
  if i >= 0 then 2 * i else -2 * i - 1
}

function Unfold(n: nat): int
  ensures Fold(Unfold(n)) == n
{
  if n % 2 == 0 then n / 2 else -((n + 1) / 2)
}

// A series as the differences between neighbours.
function PutSeries(values: seq<int>, last: int): seq<Byte> {
  if values == [] then [] else PutNumber(Fold(values[0] - last)) + PutSeries(values[1..], values[0])
}

function GetSeries(bytes: seq<Byte>, last: int): Result<seq<int>>
  decreases |bytes|
{
  if bytes == [] then Ok([], [])
  else
    match GetNumber(bytes, 5, 1)
    case Error(reason) => Error(reason)
    case Ok(n, rest) =>
      var value := last + Unfold(n);
      match GetSeries(rest, value)
      case Error(reason) => Error(reason)
      case Ok(values, end) => Ok([value] + values, end)
}

function WithLength(bytes: seq<Byte>): seq<Byte> {
  PutNumber(|bytes|) + bytes
}

function PutField(f: Field): seq<Byte>
  decreases f
{
  match f.content
  case Number(n) => PutNumber(f.tag * 8) + PutNumber(n)
  case Signed(i) => PutNumber(f.tag * 8 + 1) + PutNumber(Fold(i))
  case Text(bytes) => PutNumber(f.tag * 8 + 2) + WithLength(bytes)
  case Series(values) => PutNumber(f.tag * 8 + 3) + WithLength(PutSeries(values, 0))
  case Group(fields) => PutNumber(f.tag * 8 + 4) + WithLength(PutFields(fields))
}

function PutFields(fields: seq<Field>): seq<Byte>
  decreases fields
{
  if fields == [] then [] else PutField(fields[0]) + PutFields(fields[1..])
}

// The bytes behind a length, and what follows them.
function GetPart(bytes: seq<Byte>): Result<seq<Byte>>
  ensures GetPart(bytes).Ok? ==> |GetPart(bytes).value| + |GetPart(bytes).rest| < |bytes|
{
  match GetNumber(bytes, 5, 1)
  case Error(reason) => Error(reason)
  case Ok(length, rest) => if |rest| < length then Error(Truncated) else Ok(rest[..length], rest[length..])
}

function GetContent(kind: nat, bytes: seq<Byte>, depth: nat): Result<Content>
  ensures GetContent(kind, bytes, depth).Ok? ==> |GetContent(kind, bytes, depth).rest| < |bytes|
  decreases |bytes|, 0
{
  if kind < 2 then
    match GetNumber(bytes, 5, 1)
    case Error(reason) => Error(reason)
    case Ok(n, rest) => Ok(if kind == 0 then Number(n) else Signed(Unfold(n)), rest)
  else if kind > 4 then Error(UnknownKind(kind))
  else if kind == 4 && depth == 0 then Error(TooDeep)
  else
    match GetPart(bytes)
    case Error(reason) => Error(reason)
    case Ok(part, rest) =>
      if kind == 2 then Ok(Text(part), rest)
      else if kind == 3 then
        match GetSeries(part, 0)
        case Error(reason) => Error(reason)
        case Ok(values, _) => Ok(Series(values), rest)
      else
        match GetFields(part, depth - 1)
        case Error(reason) => Error(reason)
        case Ok(fields, _) => Ok(Group(fields), rest)
}

// Reads fields to the end; groups may be nested `depth` times.
function GetFields(bytes: seq<Byte>, depth: nat): Result<seq<Field>>
  decreases |bytes|, 1
{
  if bytes == [] then Ok([], [])
  else
    match GetNumber(bytes, 5, 1)
    case Error(reason) => Error(reason)
    case Ok(key, afterKey) =>
      match GetContent(key % 8, afterKey, depth)
      case Error(reason) => Error(reason)
      case Ok(content, rest) =>
        match GetFields(rest, depth)
        case Error(reason) => Error(reason)
        case Ok(fields, end) => Ok([Field(key / 8, content)] + fields, end)
}

// Fletcher's checksum: the sum of the bytes and the sum of these sums.
function Checksum(bytes: seq<Byte>, first: nat, second: nat): seq<Byte>
  requires first < 255 && second < 255
  ensures |Checksum(bytes, first, second)| == 2
{
  if bytes == [] then [first, second]
  else
    var sum := (first + bytes[0]) % 255;
    Checksum(bytes[1..], sum, (second + sum) % 255)
}

function PutFrame(fields: seq<Field>): seq<Byte> {
  var payload := PutFields(fields);
  [MARK] + WithLength(payload) + Checksum(payload, 0, 0)
}

function GetFrame(bytes: seq<Byte>): Result<seq<Field>>
  ensures GetFrame(bytes).Ok? ==> |GetFrame(bytes).rest| < |bytes|
{
  if bytes == [] then Error(Truncated)
  else if bytes[0] != MARK then Error(BadMark)
  else
    match GetPart(bytes[1..])
    case Error(reason) => Error(reason)
    case Ok(payload, rest) =>
      if |rest| < 2 then Error(Truncated)
      else if rest[..2] != Checksum(payload, 0, 0) then Error(BadChecksum)
      else
        match GetFields(payload, 4)
        case Error(reason) => Error(reason)
        case Ok(fields, _) => Ok(fields, rest[2..])
}

// All messages of a stream and the number of damaged frames. After damage the reader looks for the next mark.
method ReadAll(stream: seq<Byte>) returns (messages: seq<seq<Field>>, damaged: nat)
  ensures |messages| + damaged <= |stream|
{
  messages, damaged := [], 0;
  var bytes := stream;
  while bytes != []
    invariant |messages| + damaged + |bytes| <= |stream|
    decreases |bytes|
  {
    if bytes[0] != MARK {
      bytes := bytes[1..];
    } else {
      match GetFrame(bytes) {
        case Ok(fields, rest) => messages, bytes := messages + [fields], rest;
        case Error(_) => damaged, bytes := damaged + 1, bytes[1..];
      }
    }
  }
}

function Find(fields: seq<Field>, tag: nat): nat
  ensures Find(fields, tag) <= |fields|
  ensures Find(fields, tag) < |fields| ==> fields[Find(fields, tag)].tag == tag
{
  if fields == [] || fields[0].tag == tag then 0 else 1 + Find(fields[1..], tag)
}

// A later message over an earlier one: groups are merged, series are continued, other contents are replaced.
function Merge(earlier: seq<Field>, later: seq<Field>): seq<Field>
  decreases later
{
  if later == [] then earlier
  else
    var f := later[0];
    var i := Find(earlier, f.tag);
    if i == |earlier| then Merge(earlier + [f], later[1..])
    else Merge(earlier[i := MergeField(earlier[i], f)], later[1..])
}

function MergeField(earlier: Field, later: Field): Field
  decreases later
{
  match (earlier.content, later.content)
  case (Group(a), Group(b)) => Field(later.tag, Group(Merge(a, b)))
  case (Series(a), Series(b)) => Field(later.tag, Series(a + b))
  case _ => later
}

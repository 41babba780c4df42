// A Huffman coder: frequencies, a tree built from a sorted forest, a table of codes, canonical codes, and bits packed into bytes.

type Bits = seq<bool>

newtype Byte = x: int | 0 <= x < 256

datatype Tree = Leaf(symbol: char, weight: nat) | Fork(left: Tree, right: Tree)

datatype Result<T> = Failure(error: string) | Success(value: T)

function Weight(t: Tree): nat {
  match t
  case Leaf(_, w) => w
  case Fork(l, r) => Weight(l) + Weight(r)
}

function Symbols(t: Tree): set<char> {
  match t
  case Leaf(c, _) => {c}
  case Fork(l, r) => Symbols(l) + Symbols(r)
}

function Height(t: Tree): nat {
  if t.Leaf? then 0
  else 1 + if Height(t.left) > Height(t.right) then Height(t.left) else Height(t.right)
}

// How often each letter occurs, in the order of the first occurrences.
method Frequencies(text: string) returns (fs: seq<(char, nat)>)
  ensures |text| > 0 ==> |fs| > 0
  ensures forall f <- fs :: f.1 > 0
{
  fs := [];
  for i := 0 to |text|
    invariant i > 0 ==> |fs| > 0
    invariant forall f <- fs :: f.1 > 0
  {
    var k := 0;
    while k < |fs| && fs[k].0 != text[i]
      invariant 0 <= k <= |fs|
    {
      k := k + 1;
    }
    if k < |fs| {
      fs := fs[k := (text[i], fs[k].1 + 1)];
    } else {
      fs := fs + [(text[i], 1)];
    }
  }
}

// Behind all trees of the same weight.
function InsertTree(t: Tree, forest: seq<Tree>): seq<Tree>
  ensures |InsertTree(t, forest)| == |forest| + 1
{
  if forest == [] || Weight(t) < Weight(forest[0]) then [t] + forest
  else [forest[0]] + InsertTree(t, forest[1..])
}

function SortTrees(fs: seq<(char, nat)>): seq<Tree>
  ensures |SortTrees(fs)| == |fs|
{
  if fs == [] then []
  else
    var last := fs[|fs| - 1];
    InsertTree(Leaf(last.0, last.1), SortTrees(fs[..|fs| - 1]))
}

function Build(forest: seq<Tree>): Tree
  requires forest != []
  decreases |forest|
{
  if |forest| == 1 then forest[0]
  else Build(InsertTree(Fork(forest[0], forest[1]), forest[2..]))
}

// The codes of a tree; a tree of one letter has a code of one bit.
function Codes(t: Tree, prefix: Bits): map<char, Bits>
  ensures Codes(t, prefix).Keys == Symbols(t)
{
  match t
  case Leaf(c, _) => map[c := if prefix == [] then [false] else prefix]
  case Fork(l, r) => Codes(l, prefix + [false]) + Codes(r, prefix + [true])
}

function Encode(text: string, codes: map<char, Bits>): Result<Bits> {
  if text == "" then Success([])
  else if text[0] !in codes then Failure("no code for a letter")
  else
    var rest := Encode(text[1..], codes);
    if rest.Failure? then rest else Success(codes[text[0]] + rest.value)
}

// One letter: the rest of the bits behind it.
function DecodeOne(t: Tree, bits: Bits): Result<(char, nat)>
  ensures var r := DecodeOne(t, bits); r.Success? && t.Fork? ==> 0 < r.value.1 <= |bits|
  decreases t
{
  match t
  case Leaf(c, _) => Success((c, 0))
  case Fork(l, r) =>
    if bits == [] then Failure("the bits end within a letter")
    else
      var below := DecodeOne(if bits[0] then r else l, bits[1..]);
      if below.Failure? then below
      else
        assert below.value.1 <= |bits[1..]| || below.value.1 == 0;
        Success((below.value.0, below.value.1 + 1))
}

method Decode(t: Tree, bits: Bits, count: nat) returns (r: Result<string>)
  ensures r.Success? ==> |r.value| == count
{
  var text := "";
  var i := 0;
  while |text| < count
    invariant |text| <= count && 0 <= i <= |bits|
    decreases count - |text|
  {
    var one := DecodeOne(t, bits[i..]);
    if one.Failure? {
      return Failure(one.error);
    }
    if t.Leaf? {
      if i == |bits| || bits[i] { return Failure("not the bit of the only letter"); }
      i := i + 1;
    } else {
      i := i + one.value.1;
    }
    text := text + [one.value.0];
  }
  r := Success(text);
}

function ToByte(bits: Bits): Byte
  requires |bits| <= 8
{
  ByteOf(bits, 0, 0)
}

function ByteOf(bits: Bits, i: nat, value: int): Byte
  requires |bits| <= 8 && i <= 8 && 0 <= value < (if i == 0 then 1 else if i == 1 then 2 else if i == 2 then 4 else if i == 3 then 8 else if i == 4 then 16 else if i == 5 then 32 else if i == 6 then 64 else if i == 7 then 128 else 256)
  decreases 8 - i
{
  if i == 8 then value as Byte
  else ByteOf(bits, i + 1, 2 * value + if i < |bits| && bits[i] then 1 else 0)
}

// Bits in bytes, the first bit the highest; the last byte is filled with zeros.
function Pack(bits: Bits): seq<Byte>
  ensures |Pack(bits)| == (|bits| + 7) / 8
{
  if bits == [] then []
  else if |bits| <= 8 then [ToByte(bits)]
  else [ToByte(bits[..8])] + Pack(bits[8..])
}

function BitsOf(b: Byte, n: nat): Bits
  ensures |BitsOf(b, n)| == n
{
  if n == 0 then [] else BitsOf(b / 2, n - 1) + [b % 2 == 1]
}

function Unpack(bytes: seq<Byte>): Bits
  ensures |Unpack(bytes)| == 8 * |bytes|
{
  if bytes == [] then [] else BitsOf(bytes[0], 8) + Unpack(bytes[1..])
}

// Lengths of codes in canonical order: shorter ones first, and letters of one length by themselves.
predicate Precedes(a: (char, nat), b: (char, nat)) {
  a.1 < b.1 || (a.1 == b.1 && a.0 < b.0)
}

function Increment(bits: Bits): Bits
  ensures |Increment(bits)| == |bits|
{
  if bits == [] then []
  else
    var n := |bits| - 1;
    if bits[n] then Increment(bits[..n]) + [false] else bits[..n] + [true]
}

function Extend(bits: Bits, length: nat): Bits
  decreases length - |bits|
{
  if |bits| >= length then bits else Extend(bits + [false], length)
}

// The canonical codes of letters that are in canonical order.
method Canonical(lengths: seq<(char, nat)>) returns (codes: map<char, Bits>)
  requires forall i | 0 <= i < |lengths| - 1 :: Precedes(lengths[i], lengths[i + 1])
  ensures forall l <- lengths :: l.0 in codes
{
  codes := map[];
  var code: Bits := [];
  for i := 0 to |lengths|
    invariant forall k | 0 <= k < i :: lengths[k].0 in codes
  {
    code := Extend(if i == 0 then [] else Increment(code), lengths[i].1);
    codes := codes[lengths[i].0 := code];
  }
}

method Compress(text: string) returns (tree: Tree, bytes: seq<Byte>)
  requires text != ""
{
  var fs := Frequencies(text);
  tree := Build(SortTrees(fs));
  var bits := Encode(text, Codes(tree, []));
  bytes := if bits.Success? then Pack(bits.value) else [];
}

method Decompress(tree: Tree, bytes: seq<Byte>, count: nat) returns (r: Result<string>) {
  r := Decode(tree, Unpack(bytes), count);
}

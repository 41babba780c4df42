// A rope: text in a tree of pieces, with edits, lines, balancing, and a document with marks that follow the edits.

datatype Rope =
  | Piece(text: string)
  | Cat(left: Rope, right: Rope, length: nat, breaks: nat, height: nat)

const PIECE := 4  // Pieces that are not longer than this are put together.

function Text(r: Rope): string {
  if r.Piece? then r.text else Text(r.left) + Text(r.right)
}

ghost predicate Valid(r: Rope) {
  r.Piece? || (Valid(r.left) && Valid(r.right) && r.length == Length(r.left) + Length(r.right)
               && r.breaks == Breaks(r.left) + Breaks(r.right))
}

function Length(r: Rope): nat {
  if r.Piece? then |r.text| else r.length
}

function Height(r: Rope): nat {
  if r.Piece? then 0 else r.height
}

function Breaks(r: Rope): nat {
  if r.Piece? then CountBreaks(r.text) else r.breaks
}

function CountBreaks(s: string): nat {
  if s == [] then 0 else (if s[0] == '\n' then 1 else 0) + CountBreaks(s[1..])
}

// Short pieces that meet become one.
function Concat(a: Rope, b: Rope): Rope
  requires Valid(a) && Valid(b)
  ensures Valid(Concat(a, b))
{
  if Length(a) == 0 then b
  else if Length(b) == 0 then a
  else if a.Piece? && b.Piece? && |a.text| + |b.text| <= PIECE then Piece(a.text + b.text)
  else if a.Cat? && a.right.Piece? && b.Piece? && |a.right.text| + |b.text| <= PIECE then
    Link(a.left, Piece(a.right.text + b.text))
  else Link(a, b)
}

function Link(a: Rope, b: Rope): Rope {
  Cat(a, b, Length(a) + Length(b), Breaks(a) + Breaks(b), 1 + if Height(a) > Height(b) then Height(a) else Height(b))
}

function At(r: Rope, i: nat): char
  requires Valid(r) && i < Length(r)
{
  if r.Piece? then r.text[i]
  else if i < Length(r.left) then At(r.left, i)
  else At(r.right, i - Length(r.left))
}

function Take(r: Rope, n: nat): Rope
  requires Valid(r)
  ensures Valid(Take(r, n))
{
  if n >= Length(r) then r
  else if r.Piece? then Piece(r.text[..n])
  else if n <= Length(r.left) then Take(r.left, n)
  else Link(r.left, Take(r.right, n - Length(r.left)))
}

function Drop(r: Rope, n: nat): Rope
  requires Valid(r)
  ensures Valid(Drop(r, n))
{
  if n == 0 then r
  else if n >= Length(r) then Piece("")
  else if r.Piece? then Piece(r.text[n..])
  else if n >= Length(r.left) then Drop(r.right, n - Length(r.left))
  else Link(Drop(r.left, n), r.right)
}

function Pieces(r: Rope): seq<Rope> {
  if r.Piece? then (if r.text == [] then [] else [r]) else Pieces(r.left) + Pieces(r.right)
}

function Merge(pieces: seq<Rope>): Rope
  decreases |pieces|
{
  if |pieces| == 0 then Piece("")
  else if |pieces| == 1 then pieces[0]
  else
    var half := |pieces| / 2;
    Link(Merge(pieces[..half]), Merge(pieces[half..]))
}

function Power2(n: nat): nat {
  if n == 0 then 1 else 2 * Power2(n - 1)
}

// A tree that is much higher than its pieces need is built anew.
function Balanced(r: Rope): Rope {
  var pieces := Pieces(r);
  if Height(r) > 2 && Power2(Height(r) - 2) > |pieces| then Merge(pieces) else r
}

// The position at which a line begins; line 0 begins at 0.
function LineStart(r: Rope, line: nat): nat
  requires Valid(r)
{
  if line == 0 then 0
  else if line > Breaks(r) then Length(r)
  else if r.Piece? then AfterBreak(r.text, line)
  else if line <= Breaks(r.left) then LineStart(r.left, line)
  else Length(r.left) + LineStart(r.right, line - Breaks(r.left))
}

function AfterBreak(s: string, n: nat): nat {
  if s == [] || n == 0 then 0
  else 1 + AfterBreak(s[1..], if s[0] == '\n' then n - 1 else n)
}

// The line of a position.
function LineOf(r: Rope, position: nat): nat
  requires Valid(r)
{
  if r.Piece? then CountBreaks(if position <= |r.text| then r.text[..position] else r.text)
  else if position < Length(r.left) then LineOf(r.left, position)
  else Breaks(r.left) + LineOf(r.right, position - Length(r.left))
}

// A place that moves with the text; text that is inserted there comes before it if it is `sticky`.
datatype Mark = Mark(position: nat, sticky: bool)

class Document {
  var rope: Rope
  var marks: map<string, Mark>
  var edits: nat

  constructor (text: string)
    ensures rope == Piece(text) && marks == map[] && edits == 0
  {
    rope, marks, edits := Piece(text), map[], 0;
  }

  method SetMark(name: string, position: nat, sticky: bool)
    modifies this
    ensures name in marks && rope == old(rope) && edits == old(edits)
  {
    var length := Length(rope);
    marks := marks[name := Mark(if position < length then position else length, sticky)];
  }

  method Insert(position: nat, text: string)
    requires Valid(rope) && position <= Length(rope)
    modifies this
    ensures marks.Keys == old(marks.Keys)
  {
    if text != [] {
      var left, right := Take(rope, position), Drop(rope, position);
      rope := Balanced(Concat(Concat(left, Piece(text)), right));
      marks := map name | name in marks :: Shifted(marks[name], position, |text|);
      edits := edits + 1;
    }
  }

  method Delete(from: nat, to: nat)
    requires Valid(rope) && from <= to <= Length(rope)
    modifies this
    ensures marks.Keys == old(marks.Keys)
  {
    if from < to {
      var left, right := Take(rope, from), Drop(rope, to);
      rope := Balanced(Concat(left, right));
      marks := map name | name in marks :: Pulled(marks[name], from, to);
      edits := edits + 1;
    }
  }
}

function Shifted(m: Mark, position: nat, count: nat): Mark {
  if m.position > position || (m.position == position && m.sticky) then m.(position := m.position + count) else m
}

function Pulled(m: Mark, from: nat, to: nat): Mark
  requires from <= to
{
  if m.position <= from then m
  else if m.position < to then m.(position := from)
  else m.(position := m.position - (to - from))
}

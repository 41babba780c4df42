// Text layout: paragraphs of words with optional breaks, lines of a width, alignment, columns and a table of contents.

datatype Option<T> = None | Some(value: T)

datatype Align = Left | Right | Center | Justify

// A piece of text. After a piece there is a space, a place where a hyphen is allowed, or a forced end of the line.
datatype After = Space | Hyphen | Newline

datatype Piece = Piece(text: string, after: After)

datatype Line = Line(pieces: seq<Piece>, last: bool)

datatype Style = Style(width: nat, indent: nat, align: Align, widows: nat)

function Blanks(n: nat): string {
  if n == 0 then "" else " " + Blanks(n - 1)
}

function Max(a: nat, b: nat): nat { if a > b then a else b }

// The pieces of a source text: '-' allows a hyphen, '/' ends the line, blanks separate.
function Pieces(s: string, word: string): seq<Piece>
  decreases |s|
{
  if s == "" then
    if word == "" then [] else [Piece(word, Space)]
  else if s[0] == ' ' then
    (if word == "" then [] else [Piece(word, Space)]) + Pieces(s[1..], "")
  else if s[0] == '-' && word != "" then
    [Piece(word, Hyphen)] + Pieces(s[1..], "")
  else if s[0] == '/' then
    [Piece(word, Newline)] + Pieces(s[1..], "")
  else
    Pieces(s[1..], word + [s[0]])
}

// The width of a line that consists of these pieces; a hyphen shows only at the end.
function Width(ps: seq<Piece>): nat {
  if ps == [] then 0
  else if |ps| == 1 then |ps[0].text| + (if ps[0].after.Hyphen? then 1 else 0)
  else |ps[0].text| + (if ps[0].after.Space? then 1 else 0) + Width(ps[1..])
}

// The pieces that fit in the first line; at least one.
function Fitting(ps: seq<Piece>, room: nat, taken: nat): nat
  requires taken <= |ps|
  ensures taken <= Fitting(ps, room, taken) <= |ps|
  decreases |ps| - taken
{
  if taken == |ps| then taken
  else if taken > 0 && ps[taken - 1].after.Newline? then taken
  else if taken > 0 && Width(ps[..taken + 1]) > room && !Shorter(ps, room, taken) then taken
  else Fitting(ps, room, taken + 1)
}

// Whether a longer line fits although this one does not: the hyphen is gone then.
predicate Shorter(ps: seq<Piece>, room: nat, taken: nat)
  requires taken < |ps|
{
  ps[taken].after.Hyphen? && taken + 1 < |ps| && Width(ps[..taken + 2]) <= room
}

method Break(ps: seq<Piece>, style: Style) returns (lines: seq<Line>)
  requires style.width > 0
{
  lines := [];
  var rest := ps;
  var first := true;
  while rest != []
    decreases |rest|
  {
    var room := if first && style.indent < style.width then style.width - style.indent else style.width;
    var n := Max(1, Fitting(rest, room, 0));
    var forced := rest[n - 1].after.Newline?;
    lines := lines + [Line(rest[..n], forced || n == |rest|)];
    rest := rest[n..];
    first := forced;
  }
}

function Natural(ps: seq<Piece>): string {
  if ps == [] then ""
  else if |ps| == 1 then ps[0].text + (if ps[0].after.Hyphen? then "-" else "")
  else ps[0].text + (if ps[0].after.Space? then " " else "") + Natural(ps[1..])
}

function Gaps(ps: seq<Piece>): nat {
  if |ps| < 2 then 0 else (if ps[0].after.Space? then 1 else 0) + Gaps(ps[1..])
}

// The line with `extra` blanks in its gaps, as evenly as possible, the wider ones on the left.
function Stretched(ps: seq<Piece>, extra: nat, gaps: nat): string
  decreases |ps|
{
  if |ps| < 2 || gaps == 0 then Natural(ps)
  else if !ps[0].after.Space? then ps[0].text + Stretched(ps[1..], extra, gaps)
  else
    var here := (extra + gaps - 1) / gaps;
    ps[0].text + Blanks(1 + here) + (if here <= extra then Stretched(ps[1..], extra - here, gaps - 1) else Natural(ps[1..]))
}

function Aligned(line: Line, room: nat, align: Align): string {
  var text := Natural(line.pieces);
  if |text| >= room then text
  else
    match align
    case Left => text
    case Right => Blanks(room - |text|) + text
    case Center => Blanks((room - |text|) / 2) + text
    case Justify =>
      if line.last || Gaps(line.pieces) == 0 then text
      else Stretched(line.pieces, room - |text|, Gaps(line.pieces))
}

method Paragraph(source: string, style: Style) returns (out: seq<string>)
  requires style.width > 0
{
  var lines := Break(Pieces(source, ""), style);
  out := [];
  var first := true;
  for i := 0 to |lines| {
    var indent := if first && style.indent < style.width then style.indent else 0;
    out := out + [Blanks(indent) + Aligned(lines[i], style.width - indent, style.align)];
    first := lines[i].last;
  }
}

// Lines on pages of a height; fewer than `widows` lines of a paragraph are not left alone at the top of a page.
class Pager {
  const height: nat
  var pages: seq<seq<string>>
  var current: seq<string>
  var contents: seq<(string, nat)>

  predicate Valid()
    reads this
  {
    height > 0 && |current| <= height
  }

  constructor (height: nat)
    requires height > 0
    ensures Valid() && pages == [] && current == [] && contents == []
  {
    this.height := height;
    pages, current, contents := [], [], [];
  }

  method Turn()
    requires Valid()
    modifies this
    ensures Valid() && current == [] && contents == old(contents)
    ensures pages == old(pages) + (if old(current) == [] then [] else [old(current)])
  {
    if current != [] {
      pages := pages + [current];
    }
    current := [];
  }

  method Add(lines: seq<string>, widows: nat)
    requires Valid()
    modifies this
    ensures Valid()
    ensures contents == old(contents)
  {
    var left := height - |current|;
    // The last page of the paragraph would have too few lines: some more go there.
    if |lines| > left && |lines| - left < widows && widows <= |lines| && widows <= height {
      left := |lines| - widows;
      for i := 0 to left
        invariant Valid() && contents == old(contents)
      {
        if |current| < height {
          current := current + [lines[i]];
        }
      }
      Turn();
      current := lines[left..];
      return;
    }
    for i := 0 to |lines|
      invariant Valid() && contents == old(contents)
    {
      if |current| == height {
        Turn();
      }
      current := current + [lines[i]];
    }
  }

  // A heading starts a new page if no line would fit below it.
  method Heading(title: string)
    requires Valid()
    modifies this
    ensures Valid() && |contents| == |old(contents)| + 1
  {
    if |current| + 2 > height {
      Turn();
    }
    if current != [] && |current| + 3 <= height {
      current := current + [""];
    }
    contents := contents + [(title, |pages| + 1)];
    if |current| < height {
      current := current + [title];
    }
  }

  // The page on which a title stands last.
  method PageOf(title: string) returns (page: Option<nat>)
    requires Valid()
    ensures page.Some? ==> exists i :: 0 <= i < |contents| && contents[i] == (title, page.value)
  {
    page := None;
    for i := 0 to |contents|
      invariant page.Some? ==> exists i :: 0 <= i < |contents| && contents[i] == (title, page.value)
    {
      if contents[i].0 == title {
        page := Some(contents[i].1);
      }
    }
  }
}

// Markup in the manner of XML: parsing with entities, comments and positions of errors; writing; paths.

datatype Result<T> = Ok(value: T) | Error(message: string, at: nat)

datatype Item =
  | Text(text: string)
  | Element(name: string, attributes: seq<(string, string)>, children: seq<Item>)

predicate IsSpace(c: char) {
  c == ' ' || c == '\n' || c == '\t'
}

predicate IsNameStart(c: char) {
  'a' <= c <= 'z' || 'A' <= c <= 'Z' || c == '_'
}

predicate IsNamePart(c: char) {
  IsNameStart(c) || '0' <= c <= '9' || c == '-'
}

predicate StartsAt(s: string, i: nat, word: string) {
  i + |word| <= |s| && s[i..i + |word|] == word
}

function SkipSpace(s: string, i: nat): nat
  requires i <= |s|
  ensures i <= SkipSpace(s, i) <= |s|
  decreases |s| - i
{
  if i < |s| && IsSpace(s[i]) then SkipSpace(s, i + 1) else i
}

function NameEnd(s: string, i: nat): nat
  requires i <= |s|
  ensures i <= NameEnd(s, i) <= |s|
  decreases |s| - i
{
  if i < |s| && IsNamePart(s[i]) then NameEnd(s, i + 1) else i
}

function IndexOf(s: string, i: nat, word: string): nat
  requires i <= |s|
  ensures i <= IndexOf(s, i, word) <= |s|
  decreases |s| - i
{
  if i == |s| || StartsAt(s, i, word) then i else IndexOf(s, i + 1, word)
}

const ENTITIES: seq<(string, char)> := [("&lt;", '<'), ("&gt;", '>'), ("&amp;", '&'), ("&quot;", '"')]

// The text from a position to before a stop character, with entities replaced, and the position of the stop.
method ParseText(s: string, start: nat, stop: char) returns (text: Result<string>, end: nat)
  requires start <= |s|
  ensures start <= end <= |s|
{
  var out := "";
  end := start;
  while end < |s| && s[end] != stop
    invariant start <= end <= |s|
    decreases |s| - end
  {
    if s[end] == '&' {
      var k := 0;
      while k < |ENTITIES| && !StartsAt(s, end, ENTITIES[k].0)
        invariant 0 <= k <= |ENTITIES|
      {
        k := k + 1;
      }
      if k == |ENTITIES| {
        return Error("unknown entity", end), end;
      }
      out, end := out + [ENTITIES[k].1], end + |ENTITIES[k].0|;
    } else {
      out, end := out + [s[end]], end + 1;
    }
  }
  text := Ok(out);
}

// Attributes up to the end of a tag; a name must not occur twice.
method ParseAttributes(s: string, start: nat) returns (attributes: Result<seq<(string, string)>>, end: nat)
  requires start <= |s|
  ensures start <= end <= |s|
{
  var list: seq<(string, string)> := [];
  end := SkipSpace(s, start);
  while end < |s| && IsNameStart(s[end])
    invariant start <= end <= |s|
    decreases |s| - end
  {
    var nameEnd := NameEnd(s, end);
    var name := s[end..nameEnd];
    var i := SkipSpace(s, nameEnd);
    if i == |s| || s[i] != '=' {
      return Error("expected =", i), i;
    }
    i := SkipSpace(s, i + 1);
    if i == |s| || (s[i] != '"' && s[i] != '\'') {
      return Error("expected a quote", i), i;
    }
    if exists a <- list :: a.0 == name {
      return Error("attribute occurs twice", end), end;
    }
    var value, close := ParseText(s, i + 1, s[i]);
    if value.Error? {
      return Error(value.message, value.at), close;
    }
    if close == |s| {
      return Error("value without end", i), close;
    }
    list := list + [(name, value.value)];
    end := SkipSpace(s, close + 1);
  }
  attributes := Ok(list);
}

// Items up to an end tag or the end of the text.
method ParseItems(s: string, start: nat) returns (items: Result<seq<Item>>, end: nat)
  requires start <= |s|
  ensures start <= end <= |s|
  decreases |s| - start, 1
{
  var list: seq<Item> := [];
  end := start;
  while end < |s| && !StartsAt(s, end, "</")
    invariant start <= end <= |s|
    decreases |s| - end
  {
    if StartsAt(s, end, "<!--") {
      var close := IndexOf(s, end + 4, "-->");
      if close == |s| {
        return Error("comment without end", end), end;
      }
      end := if close + 3 <= |s| then close + 3 else |s|;
    } else if s[end] == '<' {
      var element, next := ParseElement(s, end);
      if element.Error? || next <= end {
        return Error(if element.Error? then element.message else "empty", if element.Error? then element.at else end), end;
      }
      list, end := list + [element.value], next;
    } else {
      var text, next := ParseText(s, end, '<');
      if text.Error? || next == end {
        return Error(if text.Error? then text.message else "empty", if text.Error? then text.at else end), end;
      }
      // Text on both sides of a comment is one.
      if |list| > 0 && list[|list| - 1].Text? {
        list := list[|list| - 1 := Text(list[|list| - 1].text + text.value)];
      } else {
        list := list + [Text(text.value)];
      }
      end := next;
    }
  }
  items := Ok(list);
}

method ParseElement(s: string, start: nat) returns (element: Result<Item>, end: nat)
  requires start < |s| && s[start] == '<'
  ensures start <= end <= |s|
  decreases |s| - start, 0
{
  end := start;
  var nameEnd := NameEnd(s, start + 1);
  var name := s[start + 1..nameEnd];
  if name == "" || !IsNameStart(name[0]) {
    return Error("expected a name", start + 1), end;
  }
  var attributes, i := ParseAttributes(s, nameEnd);
  if attributes.Error? {
    return Error(attributes.message, attributes.at), end;
  }
  if StartsAt(s, i, "/>") {
    return Ok(Element(name, attributes.value, [])), i + 2;
  }
  if !StartsAt(s, i, ">") {
    return Error("expected >", i), end;
  }
  var children, close := ParseItems(s, i + 1);
  if children.Error? {
    return Error(children.message, children.at), end;
  }
  if !StartsAt(s, close, "</" + name) || close + 2 + |name| != NameEnd(s, close + 2) {
    return Error("expected the end of " + name, close), end;
  }
  var last := SkipSpace(s, close + 2 + |name|);
  if !StartsAt(s, last, ">") {
    return Error("expected >", last), end;
  }
  return Ok(Element(name, attributes.value, children.value)), last + 1;
}

// A document is one element, with space around it.
method Parse(s: string) returns (root: Result<Item>)
{
  var start := SkipSpace(s, 0);
  if start == |s| || s[start] != '<' {
    return Error("expected an element", start);
  }
  var element, end := ParseElement(s, start);
  if element.Ok? && SkipSpace(s, end) < |s| {
    return Error("text behind the end", SkipSpace(s, end));
  }
  return element;
}

function Escape(s: string, quoted: bool): string {
  if s == [] then ""
  else
    (match s[0]
     case '<' => "&lt;"
     case '&' => "&amp;"
     case '"' => if quoted then "&quot;" else "\""
     case c => [c]) + Escape(s[1..], quoted)
}

function Write(item: Item): string {
  match item
  case Text(t) => Escape(t, false)
  case Element(name, attributes, children) =>
    "<" + name + WriteAttributes(attributes)
    + (if children == [] then "/>" else ">" + WriteAll(children) + "</" + name + ">")
}

function WriteAttributes(attributes: seq<(string, string)>): string {
  if attributes == [] then ""
  else " " + attributes[0].0 + "=\"" + Escape(attributes[0].1, true) + "\"" + WriteAttributes(attributes[1..])
}

function WriteAll(items: seq<Item>): string {
  if items == [] then "" else Write(items[0]) + WriteAll(items[1..])
}

// The elements that a path of names leads to; `*` stands for any name.
function Find(item: Item, path: seq<string>): seq<Item>
  decreases item, |path|
{
  if path == [] then [item]
  else if item.Text? then []
  else FindAll(item.children, path)
}

function FindAll(items: seq<Item>, path: seq<string>): seq<Item>
  requires path != []
  decreases items, |path|
{
  if items == [] then []
  else
    (if items[0].Element? && (path[0] == "*" || items[0].name == path[0]) then Find(items[0], path[1..]) else [])
    + FindAll(items[1..], path)
}

// All text of an item, without markup.
function Content(item: Item): string {
  if item.Text? then item.text else ContentOf(item.children)
}

function ContentOf(items: seq<Item>): string {
  if items == [] then "" else Content(items[0]) + ContentOf(items[1..])
}

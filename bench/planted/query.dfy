// A search engine for short texts: an inverted index with positions, queries as functions that are combined, and ranking by scores.

datatype Token = Token(word: string, position: nat)

datatype Posting = Posting(doc: nat, positions: seq<nat>)

datatype Hit = Hit(doc: nat, score: nat)

datatype Index = Index(texts: seq<string>, postings: map<string, seq<Posting>>)

// A query gives the hits of an index in the order of the documents.
type Query = Index -> seq<Hit>

predicate IsLetter(c: char) {
  'a' <= c <= 'z' || 'A' <= c <= 'Z' || '0' <= c <= '9'
}

function Lower(word: string): string {
  seq(|word|, i requires 0 <= i < |word| => if 'A' <= word[i] <= 'Z' then word[i] - 'A' + 'a' else word[i])
}

function WordLength(text: string): nat
  ensures WordLength(text) <= |text|
{
  if text == "" || !IsLetter(text[0]) then 0 else 1 + WordLength(text[1..])
}

// The words of a text. Words that are not kept take a position all the same, so that phrases do not close up over them.
function Tokens(text: string, position: nat, keep: string -> bool): seq<Token>
  decreases |text|
{
  if text == "" then []
  else
    var n := WordLength(text);
    if n == 0 then Tokens(text[1..], position, keep)
    else
      var word := Lower(text[..n]);
      if keep(word) then [Token(word, position)] + Tokens(text[n..], position + 1, keep)
      else Tokens(text[n..], position + 1, keep)
}

function Add(p: map<string, seq<Posting>>, doc: nat, token: Token): map<string, seq<Posting>> {
  if token.word !in p then p[token.word := [Posting(doc, [token.position])]]
  else
    var list := p[token.word];
    var last := |list| - 1;
    if list != [] && list[last].doc == doc then p[token.word := list[last := Posting(doc, list[last].positions + [token.position])]]
    else p[token.word := list + [Posting(doc, [token.position])]]
}

function AddAll(p: map<string, seq<Posting>>, doc: nat, tokens: seq<Token>): map<string, seq<Posting>>
  decreases tokens
{
  if tokens == [] then p else AddAll(Add(p, doc, tokens[0]), doc, tokens[1..])
}

function Insert(index: Index, text: string, keep: string -> bool): Index {
  Index(index.texts + [text], AddAll(index.postings, |index.texts|, Tokens(text, 0, keep)))
}

function Build(texts: seq<string>, keep: string -> bool): Index {
  if texts == [] then Index([], map[]) else Insert(Build(texts[..|texts| - 1], keep), texts[|texts| - 1], keep)
}

function Without(list: seq<Posting>, doc: nat): seq<Posting> {
  if list == [] then [] else (if list[0].doc == doc then [] else [list[0]]) + Without(list[1..], doc)
}

// Puts a posting into a list in the order of the documents.
function Place(list: seq<Posting>, p: Posting): seq<Posting> {
  if list == [] then [p] else if list[0].doc > p.doc then [p] + list else [list[0]] + Place(list[1..], p)
}

// Replaces the text of a document.
function Update(index: Index, doc: nat, text: string, keep: string -> bool): Index
  requires doc < |index.texts|
{
  var added := AddAll(map[], doc, Tokens(text, 0, keep));
  var rest := map word <- index.postings :: Without(index.postings[word], doc);
  var both := map word <- rest.Keys + added.Keys ::
    var kept := if word in rest then rest[word] else [];
    if word in added && |added[word]| == 1 then Place(kept, added[word][0]) else kept;
  Index(index.texts[doc := text], both)
}

function Map<A, B>(f: A -> B, s: seq<A>): seq<B>
  ensures |Map(f, s)| == |s|
{
  if s == [] then [] else [f(s[0])] + Map(f, s[1..])
}

function Filter<A>(keep: A -> bool, s: seq<A>): seq<A>
  ensures |Filter(keep, s)| <= |s|
{
  if s == [] then [] else (if keep(s[0]) then [s[0]] else []) + Filter(keep, s[1..])
}

function Fold<A, B>(f: (B, A) -> B, start: B, s: seq<A>): B {
  if s == [] then start else Fold(f, f(start, s[0]), s[1..])
}

function Postings(index: Index, word: string): seq<Posting> {
  if word in index.postings then index.postings[word] else []
}

function Word(word: string): Query {
  (index: Index) => Map((p: Posting) => Hit(p.doc, |p.positions|), Postings(index, Lower(word)))
}

function PositionsIn(list: seq<Posting>, doc: nat): seq<nat> {
  if list == [] then [] else if list[0].doc == doc then list[0].positions else PositionsIn(list[1..], doc)
}

// Whether the words stand one behind the other from a position on.
predicate StandsAt(index: Index, doc: nat, words: seq<string>, position: nat) {
  words == [] || (position in PositionsIn(Postings(index, Lower(words[0])), doc) && StandsAt(index, doc, words[1..], position + 1))
}

// The places of a phrase; one place counts as much as all its words.
function Phrase(words: seq<string>): Query
  requires words != []
{
  (index: Index) =>
    var counted := Map((p: Posting) =>
      var places := Filter((at: nat) => StandsAt(index, p.doc, words[1..], at + 1), p.positions);
      Hit(p.doc, |places| * |words|), Postings(index, Lower(words[0])));
    Filter((h: Hit) => h.score > 0, counted)
}

// Merges hits; `one` and `both` say whether hits of one or of both sides stay. The scores of both sides are added.
function Merge(a: seq<Hit>, b: seq<Hit>, one: bool, both: bool): seq<Hit>
  decreases |a| + |b|
{
  if a == [] then (if one then b else [])
  else if b == [] then (if one then a else [])
  else if a[0].doc < b[0].doc then (if one then [a[0]] else []) + Merge(a[1..], b, one, both)
  else if b[0].doc < a[0].doc then (if one then [b[0]] else []) + Merge(a, b[1..], one, both)
  else (if both then [Hit(a[0].doc, a[0].score + b[0].score)] else []) + Merge(a[1..], b[1..], one, both)
}

function And(a: Query, b: Query): Query {
  (index: Index) => Merge(a(index), b(index), false, true)
}

function Or(a: Query, b: Query): Query {
  (index: Index) => Merge(a(index), b(index), true, true)
}

function Boost(q: Query, factor: nat): Query {
  (index: Index) => Map((h: Hit) => Hit(h.doc, h.score * factor), q(index))
}

function All(): Query {
  (index: Index) => seq(|index.texts|, i requires 0 <= i => Hit(i, 1))
}

function Not(q: Query): Query {
  (index: Index) =>
    var hits := q(index);
    Filter((h: Hit) => !exists x <- hits :: x.doc == h.doc, All()(index))
}

// All of several queries; none of them is all documents.
function AllOf(queries: seq<Query>): Query {
  if queries == [] then All() else Fold((q: Query, r: Query) => And(q, r), queries[0], queries[1..])
}

function InsertBy<A>(before: (A, A) -> bool, x: A, sorted: seq<A>): seq<A>
  ensures |InsertBy(before, x, sorted)| == |sorted| + 1
{
  if sorted == [] || !before(sorted[0], x) then [x] + sorted else [sorted[0]] + InsertBy(before, x, sorted[1..])
}

// Sorts without changing the order of equal elements.
function SortBy<A>(before: (A, A) -> bool, s: seq<A>): seq<A>
  ensures |SortBy(before, s)| == |s|
{
  if s == [] then [] else InsertBy(before, s[0], SortBy(before, s[1..]))
}

// The best hits, the best first; of equal hits the earlier document comes first.
method Best(index: Index, q: Query, count: nat) returns (docs: seq<nat>)
  ensures |docs| <= count
{
  var sorted := SortBy((a: Hit, b: Hit) => a.score > b.score, q(index));
  docs := Map((h: Hit) => h.doc, if |sorted| <= count then sorted else sorted[..count]);
}

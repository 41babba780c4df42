// A dictionary of words over a trie: counts, completion in the order of use, removal with pruning, and the longest known prefix.

module Tries {
  type Word = seq<char>

  // A node: how often the word that ends here was added, and the children in the order of their letters.
  datatype Trie = Trie(count: nat, children: seq<Edge>)
  datatype Edge = Edge(letter: char, child: Trie)

  const Empty: Trie := Trie(0, [])

  // The position of the child for a letter, or where it belongs.
  function Position(es: seq<Edge>, c: char): nat
    ensures Position(es, c) <= |es|
    ensures forall i | 0 <= i < Position(es, c) :: es[i].letter < c
  {
    if |es| == 0 || es[0].letter >= c then 0
    else
      var p := Position(es[1..], c);
      assert forall i | 1 <= i < 1 + p :: es[i] == es[1..][i - 1];
      1 + p
  }

  predicate HasChild(t: Trie, c: char) {
    var p := Position(t.children, c);
    p < |t.children| && t.children[p].letter == c
  }

  function Child(t: Trie, c: char): Trie
    requires HasChild(t, c)
    ensures Child(t, c) < t
  {
    t.children[Position(t.children, c)].child
  }

  function WithChild(t: Trie, c: char, child: Trie): Trie {
    var p := Position(t.children, c);
    if HasChild(t, c) then t.(children := t.children[p := Edge(c, child)])
    else t.(children := t.children[..p] + [Edge(c, child)] + t.children[p..])
  }

  function WithoutChild(t: Trie, c: char): Trie
    requires HasChild(t, c)
    ensures |WithoutChild(t, c).children| == |t.children| - 1
  {
    var p := Position(t.children, c);
    t.(children := t.children[..p] + t.children[p + 1..])
  }

  function Add(t: Trie, w: Word, times: nat): Trie
    decreases |w|
  {
    if w == [] then t.(count := t.count + times)
    else
      var below := if HasChild(t, w[0]) then Child(t, w[0]) else Empty;
      WithChild(t, w[0], Add(below, w[1..], times))
  }

  function Count(t: Trie, w: Word): nat
    decreases |w|
  {
    if w == [] then t.count
    else if HasChild(t, w[0]) then Count(Child(t, w[0]), w[1..])
    else 0
  }

  // Forgets a word; a node that holds nothing any more goes as well.
  function Remove(t: Trie, w: Word): Trie
    decreases |w|
  {
    if w == [] then t.(count := 0)
    else if !HasChild(t, w[0]) then t
    else
      var below := Remove(Child(t, w[0]), w[1..]);
      if below.count == 0 && below.children == [] then WithoutChild(t, w[0])
      else WithChild(t, w[0], below)
  }

  function Subtrie(t: Trie, prefix: Word): Trie
    decreases |prefix|
  {
    if prefix == [] then t
    else if HasChild(t, prefix[0]) then Subtrie(Child(t, prefix[0]), prefix[1..])
    else Empty
  }

  // All words with their counts, in the order of a dictionary.
  function Entries(t: Trie, prefix: Word): seq<(Word, nat)>
    decreases t, 1
  {
    (if t.count > 0 then [(prefix, t.count)] else []) + EntriesOf(t.children, prefix)
  }

  function EntriesOf(es: seq<Edge>, prefix: Word): seq<(Word, nat)>
    decreases es, 0
  {
    if es == [] then []
    else
      assert es[0].child < es[0];
      Entries(es[0].child, prefix + [es[0].letter]) + EntriesOf(es[1..], prefix)
  }

  // The length of the longest word that the text starts with; 0 if there is none.
  function LongestPrefix(t: Trie, text: Word): nat
    decreases |text|
    ensures LongestPrefix(t, text) <= |text|
  {
    if text == [] || !HasChild(t, text[0]) then 0
    else
      var below := Child(t, text[0]);
      var n := LongestPrefix(below, text[1..]);
      if n > 0 then n + 1 else if below.count > 0 then 1 else 0
  }

  function InsertByCount(e: (Word, nat), es: seq<(Word, nat)>): seq<(Word, nat)>
    ensures |InsertByCount(e, es)| == |es| + 1
  {
    if es == [] || es[0].1 < e.1 then [e] + es else [es[0]] + InsertByCount(e, es[1..])
  }

  function SortByCount(es: seq<(Word, nat)>, sorted: seq<(Word, nat)>): seq<(Word, nat)>
    ensures |SortByCount(es, sorted)| == |es| + |sorted|
  {
    if es == [] then sorted else SortByCount(es[1..], InsertByCount(es[0], sorted))
  }

  // At most `limit` words that start with the prefix: the most frequent first, equally frequent ones in the order of a dictionary.
  method Complete(t: Trie, prefix: Word, limit: nat) returns (words: seq<Word>)
    ensures |words| <= limit
  {
    var ranked := SortByCount(Entries(Subtrie(t, prefix), prefix), []);
    words := [];
    var i := 0;
    while i < |ranked| && |words| < limit
      invariant 0 <= i <= |ranked|
      invariant |words| <= limit
    {
      words := words + [ranked[i].0];
      i := i + 1;
    }
  }

  // Splits a text into known words from left to right, the longest first; a letter that starts none is skipped and counted.
  method Segment(t: Trie, text: Word) returns (words: seq<Word>, skipped: nat)
    ensures skipped <= |text|
  {
    words, skipped := [], 0;
    var i := 0;
    while i < |text|
      invariant 0 <= i <= |text|
      invariant skipped <= i
    {
      var n := LongestPrefix(t, text[i..]);
      if n == 0 {
        skipped := skipped + 1;
        i := i + 1;
      } else {
        words := words + [text[i..i + n]];
        i := i + n;
      }
    }
  }

  function Depth(t: Trie): nat
    decreases t, 1
  {
    DepthOf(t.children)
  }

  function DepthOf(es: seq<Edge>): nat
    decreases es, 0
  {
    if es == [] then 0
    else
      assert es[0].child < es[0];
      var first, rest := 1 + Depth(es[0].child), DepthOf(es[1..]);
      if first > rest then first else rest
  }
}

class Dictionary {
  var words: Tries.Trie
  var size: nat

  constructor ()
    ensures words == Tries.Empty && size == 0
  {
    words, size := Tries.Empty, 0;
  }

  method Learn(w: Tries.Word, times: nat)
    requires times > 0
    modifies this
    ensures size >= old(size)
  {
    if Tries.Count(words, w) == 0 {
      size := size + 1;
    }
    words := Tries.Add(words, w, times);
  }

  method Forget(w: Tries.Word) returns (known: bool)
    modifies this
    ensures !known ==> words == old(words) && size == old(size)
  {
    known := Tries.Count(words, w) > 0;
    if known {
      words := Tries.Remove(words, w);
      size := if size > 0 then size - 1 else 0;
    }
  }
}

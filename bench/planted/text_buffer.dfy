// A text editor's buffer: a gap buffer over an array that grows, a cursor, a selection mark, and undo with redo.

datatype Option<T> = None | Some(value: T)

// A change at a place: what was there, and what is there now.
datatype Edit = Edit(at: nat, removed: string, inserted: string)

class GapBuffer {
  var cells: array<char>
  var gapStart: nat
  var gapEnd: nat
  ghost var Repr: set<object>

  ghost predicate Valid()
    reads this, Repr
  {
    && this in Repr && cells in Repr
    && gapStart <= gapEnd <= cells.Length
    && cells.Length > 0
  }

  constructor (capacity: nat)
    requires capacity > 0
    ensures Valid() && fresh(Repr) && Text() == ""
  {
    cells := new char[capacity](_ => ' ');
    gapStart, gapEnd := 0, capacity;
    new;
    Repr := {this, cells};
  }

  function Text(): string
    requires Valid()
    reads Repr
  {
    cells[..gapStart] + cells[gapEnd..]
  }

  function Length(): nat
    requires Valid()
    reads Repr
    ensures Length() == |Text()|
  {
    gapStart + (cells.Length - gapEnd)
  }

  function At(i: nat): char
    requires Valid() && i < Length()
    reads Repr
    ensures At(i) == Text()[i]
  {
    if i < gapStart then cells[i] else cells[gapEnd + (i - gapStart)]
  }

  // Moves the gap to a position of the text.
  method MoveTo(position: nat)
    requires Valid() && position <= Length()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures gapStart == position
    ensures Length() == old(Length())
  {
    while gapStart > position
      invariant Valid() && Repr == old(Repr)
      invariant position <= gapStart || gapStart == old(gapStart)
      invariant Length() == old(Length())
    {
      cells[gapEnd - 1] := cells[gapStart - 1];
      gapStart, gapEnd := gapStart - 1, gapEnd - 1;
    }
    while gapStart < position
      invariant Valid() && Repr == old(Repr)
      invariant gapStart <= position <= Length()
      invariant Length() == old(Length())
    {
      cells[gapStart] := cells[gapEnd];
      gapStart, gapEnd := gapStart + 1, gapEnd + 1;
    }
  }

  // Doubles the array.
  method Grow()
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures gapStart == old(gapStart) && gapStart < gapEnd
    ensures Length() == old(Length())
  {
    var bigger := new char[2 * cells.Length](_ => ' ');
    var added := bigger.Length - cells.Length;
    var i := 0;
    while i < gapStart
      invariant 0 <= i <= gapStart
      invariant Valid() && Repr == old(Repr) && cells == old(cells) && gapStart == old(gapStart) && gapEnd == old(gapEnd)
    {
      bigger[i] := cells[i];
      i := i + 1;
    }
    i := gapEnd;
    while i < cells.Length
      invariant gapEnd <= i <= cells.Length
      invariant Valid() && Repr == old(Repr) && cells == old(cells) && gapStart == old(gapStart) && gapEnd == old(gapEnd)
    {
      bigger[i + added] := cells[i];
      i := i + 1;
    }
    cells, gapEnd := bigger, gapEnd + added;
    Repr := Repr + {cells};
  }

  method Insert(c: char)
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures gapStart == old(gapStart) + 1
    ensures Length() == old(Length()) + 1
  {
    if gapStart == gapEnd {
      Grow();
    }
    cells[gapStart] := c;
    gapStart := gapStart + 1;
  }

  method Delete(n: nat)
    requires Valid() && gapStart + n <= Length()
    modifies this
    ensures Valid() && Repr == old(Repr) && gapStart == old(gapStart)
    ensures Length() == old(Length()) - n
  {
    gapEnd := gapEnd + n;
  }
}

class Editor {
  const buffer: GapBuffer
  var undone: seq<Edit>
  var done: seq<Edit>
  var saved: nat  // How many edits were done when the text was last saved.
  ghost var Repr: set<object>

  ghost predicate Valid()
    reads this, Repr
  {
    this in Repr && buffer in Repr && buffer.Repr <= Repr && this !in buffer.Repr && buffer.Valid()
  }

  constructor ()
    ensures Valid() && fresh(Repr)
  {
    var b := new GapBuffer(4);
    buffer, undone, done, saved := b, [], [], 0;
    new;
    Repr := {this, b} + b.Repr;
  }

  // Puts `text` where `length` characters were; what lies outside the buffer is left alone.
  method Apply(at: nat, length: nat, text: string) returns (removed: string)
    requires Valid()
    modifies buffer.Repr, this`Repr
    ensures Valid() && fresh(Repr - old(Repr))
  {
    var position := if at <= buffer.Length() then at else buffer.Length();
    var n := if position + length <= buffer.Length() then length else buffer.Length() - position;
    removed := buffer.Text()[position..position + n];
    buffer.MoveTo(position);
    buffer.Delete(n);
    for i := 0 to |text|
      invariant buffer.Valid() && fresh(buffer.Repr - old(buffer.Repr)) && this !in buffer.Repr && Repr == old(Repr)
    {
      buffer.Insert(text[i]);
    }
    Repr := Repr + buffer.Repr;
  }

  method Replace(at: nat, length: nat, text: string)
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures undone == []
  {
    var position := if at <= buffer.Length() then at else buffer.Length();
    var removed := Apply(position, length, text);
    if saved > |done| {
      saved := |done| + |undone| + 2;  // The saved text cannot be reached any more.
    }
    done, undone := done + [Edit(position, removed, text)], [];
  }

  method Undo() returns (possible: bool)
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures possible ==> |done| == old(|done|) - 1 && |undone| == old(|undone|) + 1
  {
    possible := done != [];
    if possible {
      var e := done[|done| - 1];
      var _ := Apply(e.at, |e.inserted|, e.removed);
      done, undone := done[..|done| - 1], undone + [e];
    }
  }

  method Redo() returns (possible: bool)
    requires Valid()
    modifies Repr
    ensures Valid() && fresh(Repr - old(Repr))
    ensures possible ==> |done| == old(|done|) + 1 && |undone| == old(|undone|) - 1
  {
    possible := undone != [];
    if possible {
      var e := undone[|undone| - 1];
      var _ := Apply(e.at, |e.removed|, e.inserted);
      done, undone := done + [e], undone[..|undone| - 1];
    }
  }

  method Save()
    requires Valid()
    modifies this
    ensures Valid() && !IsChanged()
  {
    saved := |done|;
  }

  predicate IsChanged()
    reads this
  {
    saved != |done|
  }

  // The first place of a text at or after `from`.
  method Find(what: string, from: nat) returns (at: Option<nat>)
    requires Valid()
    ensures at.Some? ==> from <= at.value && at.value + |what| <= buffer.Length()
  {
    at := None;
    var i := from;
    while at.None? && i + |what| <= buffer.Length()
      invariant from <= i
      invariant at.Some? ==> from <= at.value && at.value + |what| <= buffer.Length()
      decreases buffer.Length() - i, at.None?
    {
      var k := 0;
      while k < |what| && buffer.At(i + k) == what[k]
        invariant 0 <= k <= |what|
      {
        k := k + 1;
      }
      if k == |what| {
        at := Some(i);
      }
      i := i + 1;
    }
  }
}

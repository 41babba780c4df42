// A spreadsheet: formulas over cells, evaluation with cycles and errors, references that move when rows are inserted or cells
// copied, a dependency order, and a printer.

module Formulas {
  datatype Cell = Cell(column: nat, row: nat)

  datatype Op = Add | Sub | Mul | Div

  datatype Formula =
    | Number(n: int)
    | Text(s: string)
    | Ref(cell: Cell)
    | Fixed(cell: Cell)  // Does not move when it is copied.
    | Binary(op: Op, left: Formula, right: Formula)
    | Sum(from: Cell, to: Cell)
    | If(condition: Formula, then_: Formula, else_: Formula)

  datatype Value = Int(i: int) | Str(s: string) | Bad(reason: string)

  type Sheet = map<Cell, Formula>

  // The cells of a rectangle, row by row; none if its corners are the wrong way round.
  function Range(from: Cell, to: Cell): seq<Cell>
    decreases if from.row <= to.row then to.row - from.row + 1 else 0
  {
    if from.row > to.row then []
    else RowOf(from.column, to.column, from.row) + Range(Cell(from.column, from.row + 1), to)
  }

  function RowOf(from: nat, to: nat, row: nat): seq<Cell>
    decreases if from <= to then to - from + 1 else 0
  {
    if from > to then [] else [Cell(from, row)] + RowOf(from + 1, to, row)
  }

  function Calculate(op: Op, a: int, b: int): Value {
    match op
    case Add => Int(a + b)
    case Sub => Int(a - b)
    case Mul => Int(a * b)
    case Div => if b == 0 then Bad("division by zero") else Int(a / b)
  }

  // The value of a formula; `open` are the cells that may still be entered, so that a cycle ends.
  function Eval(sheet: Sheet, f: Formula, open: set<Cell>): Value
    decreases open, 2, f
  {
    match f
    case Number(n) => Int(n)
    case Text(s) => Str(s)
    case Ref(c) => EvalCell(sheet, c, open)
    case Fixed(c) => EvalCell(sheet, c, open)
    case Binary(op, l, r) =>
      var a := Eval(sheet, l, open);
      if a.Bad? then a
      else
        var b := Eval(sheet, r, open);
        if b.Bad? then b
        else if a.Int? && b.Int? then Calculate(op, a.i, b.i)
        else if a.Str? && b.Str? && op == Add then Str(a.s + b.s)
        else Bad("types")
    case Sum(from, to) => EvalSum(sheet, Range(from, to), open)
    case If(c, t, e) =>
      var v := Eval(sheet, c, open);
      if v.Bad? then v
      else if v == Int(0) || v == Str("") then Eval(sheet, e, open)
      else Eval(sheet, t, open)
  }

  function EvalCell(sheet: Sheet, c: Cell, open: set<Cell>): Value
    decreases open, 0
  {
    if c !in sheet then Int(0)
    else if c !in open then Bad("cycle")
    else Eval(sheet, sheet[c], open - {c})
  }

  // Text in a range counts nothing.
  function EvalSum(sheet: Sheet, cells: seq<Cell>, open: set<Cell>): Value
    decreases open, 1, |cells|
  {
    if cells == [] then Int(0)
    else
      var first := EvalCell(sheet, cells[0], open);
      if first.Bad? then first
      else
        var rest := EvalSum(sheet, cells[1..], open);
        if rest.Int? then Int(rest.i + (if first.Int? then first.i else 0)) else rest
  }

  function Show(sheet: Sheet, c: Cell): Value {
    EvalCell(sheet, c, sheet.Keys)
  }

  function References(f: Formula): set<Cell> {
    match f
    case Number(_) => {}
    case Text(_) => {}
    case Ref(c) => {c}
    case Fixed(c) => {c}
    case Binary(_, l, r) => References(l) + References(r)
    case Sum(from, to) => set c <- Range(from, to)
    case If(c, t, e) => References(c) + References(t) + References(e)
  }

  // The formula after a row has been inserted above `at`: references to cells below move, ranges that contain it grow.
  function InsertRow(f: Formula, at: nat): Formula {
    var moved := (c: Cell) => if c.row >= at then Cell(c.column, c.row + 1) else c;
    match f
    case Number(_) => f
    case Text(_) => f
    case Ref(c) => Ref(moved(c))
    case Fixed(c) => Fixed(moved(c))
    case Binary(op, l, r) => Binary(op, InsertRow(l, at), InsertRow(r, at))
    case Sum(from, to) => Sum(moved(from), moved(to))
    case If(c, t, e) => If(InsertRow(c, at), InsertRow(t, at), InsertRow(e, at))
  }

  // The formula as it is copied from one cell to another; a reference out of the sheet becomes text.
  function Copy(f: Formula, from: Cell, to: Cell): Formula {
    var inside := (c: Cell) => c.column + to.column >= from.column && c.row + to.row >= from.row;
    var moved := (c: Cell) => if inside(c) then Cell(c.column + to.column - from.column, c.row + to.row - from.row) else c;
    match f
    case Number(_) => f
    case Text(_) => f
    case Ref(c) => if inside(c) then Ref(moved(c)) else Text("#REF")
    case Fixed(_) => f
    case Binary(op, l, r) => Binary(op, Copy(l, from, to), Copy(r, from, to))
    case Sum(a, b) => if inside(a) && inside(b) then Sum(moved(a), moved(b)) else Text("#REF")
    case If(c, t, e) => If(Copy(c, from, to), Copy(t, from, to), Copy(e, from, to))
  }

  // The name of a column: A to Z, then AA.
  function ColumnName(column: nat): string {
    var last := [('A' as int + column % 26) as char];
    if column < 26 then last else ColumnName(column / 26 - 1) + last
  }

  // Cells in an order in which each comes after those that it refers to, and those that are on or behind a cycle.
  method Order(sheet: Sheet, cells: seq<Cell>) returns (order: seq<Cell>, left: seq<Cell>)
    ensures |order| + |left| == |cells|
    ensures forall c <- order :: c in cells
  {
    order, left := [], cells;
    var progress := true;
    while progress
      invariant |order| + |left| == |cells|
      invariant (forall c <- order :: c in cells) && (forall c <- left :: c in cells)
      decreases |left|, progress
    {
      progress := false;
      var later: seq<Cell> := [];
      var ready: seq<Cell> := [];
      for i := 0 to |left|
        invariant |ready| + |later| == i
        invariant progress <==> ready != []
        invariant (forall c <- ready :: c in cells) && (forall c <- later :: c in cells)
      {
        var c := left[i];
        var needed := if c in sheet then References(sheet[c]) else {};
        if forall d <- needed :: d !in left {
          ready, progress := ready + [c], true;
        } else {
          later := later + [c];
        }
      }
      order, left := order + ready, later;
    }
  }
}

// Tables in text: fields with quotes, rows of different lengths, types of columns, sums by group, and the way back to text.

datatype Result<T> = Ok(value: T) | Error(line: nat, message: string)

datatype Cell = Empty | Number(n: int) | Text(s: string)

datatype Mode = Plain | Quoted | AfterQuote

datatype Table = Table(header: seq<string>, rows: seq<seq<Cell>>)

predicate IsDigits(s: string) {
  s != "" && forall i | 0 <= i < |s| :: '0' <= s[i] <= '9'
}

function Value(digits: string): nat
  requires forall i | 0 <= i < |digits| :: '0' <= digits[i] <= '9'
{
  if digits == "" then 0
  else 10 * Value(digits[..|digits| - 1]) + (digits[|digits| - 1] as nat - '0' as nat)
}

// A field's value: numbers have digits with an optional sign, and no zeros in front of other digits.
function CellOf(s: string): Cell {
  if s == "" then Empty
  else if IsDigits(s) && (s[0] != '0' || |s| == 1) then Number(Value(s))
  else if s[0] == '-' && IsDigits(s[1..]) && s[1] != '0' then Number(-(Value(s[1..]) as int))
  else Text(s)
}

function Digits(n: nat): string
  ensures forall i | 0 <= i < |Digits(n)| :: '0' <= Digits(n)[i] <= '9'
{
  var last := [(n % 10 + '0' as nat) as char];
  if n < 10 then last else Digits(n / 10) + last
}

function Shown(c: Cell): string {
  match c
  case Empty => ""
  case Number(n) => if n < 0 then "-" + Digits(-n) else Digits(n)
  case Text(s) => s
}

// Splits a text into records of fields. A quoted field may hold separators, line ends and doubled quotes.
method Split(text: string, separator: char) returns (r: Result<seq<seq<string>>>)
  requires separator != '"' && separator != '\n'
{
  var records: seq<seq<string>> := [];
  var fields: seq<string> := [];
  var field := "";
  var mode := Plain;
  var line := 1;
  var wasQuoted := false;
  for i := 0 to |text| {
    var c := text[i];
    match mode {
      case Quoted =>
        if c == '"' {
          mode := AfterQuote;
        } else {
          if c == '\n' {
            line := line + 1;
          }
          field := field + [c];
        }
      case _ =>
        if c == separator {
          fields, field, mode, wasQuoted := fields + [field], "", Plain, false;
        } else if c == '\n' {
          // Empty lines are no records.
          if fields != [] || field != "" || wasQuoted {
            records := records + [fields + [field]];
          }
          fields, field, mode, wasQuoted, line := [], "", Plain, false, line + 1;
        } else if c == '"' {
          if mode == AfterQuote {
            field, mode := field + "\"", Quoted;
          } else if field == "" {
            mode, wasQuoted := Quoted, true;
          } else {
            return Error(line, "quote within a field");
          }
        } else if mode == AfterQuote {
          return Error(line, "text after a quote");
        } else {
          field := field + [c];
        }
    }
  }
  if mode == Quoted {
    return Error(line, "open quote");
  }
  if fields != [] || field != "" || wasQuoted {
    records := records + [fields + [field]];
  }
  r := Ok(records);
}

// Fills short records with empty cells; longer records than the header are errors, unless what is too much is empty.
function Fit(record: seq<string>, width: nat): Result<seq<Cell>> {
  if |record| <= width then
    Ok(seq(width, i requires 0 <= i < width => if i < |record| then CellOf(record[i]) else Empty))
  else if forall i | width <= i < |record| :: record[i] == "" then
    Ok(seq(width, i requires 0 <= i < width => CellOf(record[i])))
  else Error(0, "too many fields")
}

method Read(text: string, separator: char) returns (r: Result<Table>)
  requires separator != '"' && separator != '\n'
  ensures r.Ok? ==> forall row <- r.value.rows :: |row| == |r.value.header|
{
  var records := Split(text, separator);
  if records.Error? {
    return Error(records.line, records.message);
  }
  if records.value == [] {
    return Error(1, "no header");
  }
  var header := records.value[0];
  var rows: seq<seq<Cell>> := [];
  for i := 1 to |records.value|
    invariant forall row <- rows :: |row| == |header|
  {
    var row := Fit(records.value[i], |header|);
    if row.Error? {
      return Error(i + 1, row.message);
    }
    if |row.value| == |header| {
      rows := rows + [row.value];
    }
  }
  r := Ok(Table(header, rows));
}

predicate NeedsQuotes(s: string, separator: char) {
  separator in s || '"' in s || '\n' in s
}

function Doubled(s: string): string {
  if s == "" then "" else (if s[0] == '"' then "\"\"" else [s[0]]) + Doubled(s[1..])
}

function Field(s: string, separator: char): string {
  if NeedsQuotes(s, separator) then "\"" + Doubled(s) + "\"" else s
}

function Join(fields: seq<string>, separator: char): string {
  if fields == [] then "" else if |fields| == 1 then Field(fields[0], separator)
  else Field(fields[0], separator) + [separator] + Join(fields[1..], separator)
}

// A text that reads as this table. Empty cells at the end of a row are left out.
function Write(t: Table, separator: char): string {
  Join(t.header, separator) + "\n" + WriteRows(t.rows, separator)
}

function WriteRows(rows: seq<seq<Cell>>, separator: char): string {
  if rows == [] then ""
  else
    var cells := Trimmed(rows[0]);
    Join(seq(|cells|, i requires 0 <= i < |cells| => Shown(cells[i])), separator) + "\n" + WriteRows(rows[1..], separator)
}

function Trimmed(row: seq<Cell>): seq<Cell> {
  if row != [] && row[|row| - 1] == Empty then Trimmed(row[..|row| - 1]) else row
}

function IndexOf(names: seq<string>, name: string): nat
  ensures IndexOf(names, name) <= |names|
{
  if names == [] || names[0] == name then 0 else 1 + IndexOf(names[1..], name)
}

// The sums of a column, by the values of another one, in the order of their first rows. Cells that are no numbers count as zero, but
// a group of which no cell is a number has no sum.
method SumBy(t: Table, key: string, column: string) returns (sums: seq<(Cell, int)>)
  requires forall row <- t.rows :: |row| == |t.header|
{
  sums := [];
  var k, c := IndexOf(t.header, key), IndexOf(t.header, column);
  if k == |t.header| || c == |t.header| {
    return;
  }
  for i := 0 to |t.rows| {
    var row := t.rows[i];
    if row[c].Number? {
      var at := 0;
      while at < |sums| && sums[at].0 != row[k]
        invariant at <= |sums|
      {
        at := at + 1;
      }
      if at == |sums| {
        sums := sums + [(row[k], row[c].n)];
      } else {
        sums := sums[at := (row[k], sums[at].1 + row[c].n)];
      }
    }
  }
}

// The order of cells: empty ones last, numbers before texts.
predicate Less(a: Cell, b: Cell) {
  match (a, b)
  case (Empty, _) => false
  case (_, Empty) => true
  case (Number(x), Number(y)) => x < y
  case (Number(_), Text(_)) => true
  case (Text(_), Number(_)) => false
  case (Text(x), Text(y)) => Before(x, y)
}

predicate Before(x: string, y: string) {
  if x == "" then y != "" else if y == "" then false else x[0] < y[0] || (x[0] == y[0] && Before(x[1..], y[1..]))
}

// Sorts rows by a column; rows that are equal there keep their order.
method SortBy(rows: seq<seq<Cell>>, c: nat) returns (sorted: seq<seq<Cell>>)
  requires forall row <- rows :: c < |row|
  ensures |sorted| == |rows|
{
  sorted := [];
  for i := 0 to |rows|
    invariant |sorted| == i
    invariant forall row <- sorted :: c < |row|
  {
    var at: nat := |sorted|;
    while at > 0 && Less(rows[i][c], sorted[at - 1][c])
      invariant at <= |sorted| == i
    {
      at := at - 1;
    }
    sorted := sorted[..at] + [rows[i]] + sorted[at..];
  }
}

// Moves of chess: positions, attacks, moves of all pieces with castling, taking in passing and promotion, and whether the side to move
// is mated. Squares are numbered from 0 (a1) row by row to 63 (h8).

datatype Color = White | Black

datatype Kind = Pawn | Knight | Bishop | Rook | Queen | King

datatype Square = Empty | Piece(color: Color, kind: Kind)

// `short` and `long` are the colors that may still castle to that side; `passing` is the square that a pawn has just jumped over.
datatype Position = Position(board: seq<Square>, turn: Color, short: set<Color>, long: set<Color>, passing: int)

datatype Move = Move(from: nat, to: nat, promotion: Kind)

datatype State = Running | Check | Mate | Stalemate

predicate Valid(p: Position) { |p.board| == 64 && -1 <= p.passing < 64 }

function Other(c: Color): Color { if c == White then Black else White }

function Row(s: nat): nat { s / 8 }

function Column(s: nat): nat { s % 8 }

// The square that lies `dr` rows and `dc` columns away, or -1 outside of the board.
function Offset(s: nat, dr: int, dc: int): int
  requires s < 64
  ensures -1 <= Offset(s, dr, dc) < 64
{
  var r, c := Row(s) + dr, Column(s) + dc;
  if 0 <= r < 8 && 0 <= c < 8 then 8 * r + c else -1
}

const Straight: seq<(int, int)> := [(1, 0), (0, 1), (-1, 0), (0, -1)]
const Diagonal: seq<(int, int)> := [(1, 1), (1, -1), (-1, 1), (-1, -1)]
const Jumps: seq<(int, int)> := [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]

function Directions(k: Kind): seq<(int, int)> {
  match k
  case Pawn => []
  case Knight => Jumps
  case Bishop => Diagonal
  case Rook => Straight
  case Queen => Straight + Diagonal
  case King => Straight + Diagonal
}

predicate Slides(k: Kind) { k.Bishop? || k.Rook? || k.Queen? }

// The squares along a direction up to the first piece, which is included.
function Ray(board: seq<Square>, s: nat, d: (int, int), steps: nat): seq<nat>
  requires |board| == 64 && s < 64
  ensures forall t <- Ray(board, s, d, steps) :: t < 64
  decreases steps
{
  var t := Offset(s, d.0, d.1);
  if steps == 0 || t < 0 then []
  else if board[t].Piece? then [t]
  else [t] + Ray(board, t, d, steps - 1)
}

function Reach(board: seq<Square>, s: nat, k: Kind, dirs: seq<(int, int)>): seq<nat>
  requires |board| == 64 && s < 64
  ensures forall t <- Reach(board, s, k, dirs) :: t < 64
{
  if dirs == [] then []
  else Ray(board, s, dirs[0], if Slides(k) then 7 else 1) + Reach(board, s, k, dirs[1..])
}

function Forward(c: Color): int { if c == White then 1 else -1 }

// Whether a piece of `foe` on `from` attacks `to`.
predicate Hits(board: seq<Square>, from: nat, to: nat, foe: Color)
  requires |board| == 64 && from < 64 && to < 64
{
  match board[from]
  case Empty => false
  case Piece(c, k) =>
    c == foe &&
    if k.Pawn? then Offset(from, Forward(c), -1) == to || Offset(from, Forward(c), 1) == to
    else to in Reach(board, from, k, Directions(k))
}

predicate Attacked(board: seq<Square>, to: nat, foe: Color)
  requires |board| == 64 && to < 64
{
  exists from: nat | from < 64 :: Hits(board, from, to, foe)
}

predicate InCheck(board: seq<Square>, c: Color)
  requires |board| == 64
{
  exists s: nat | s < 64 :: board[s] == Piece(c, King) && Attacked(board, s, Other(c))
}

// A pawn that arrives at the last row becomes one of four pieces; other moves name the pawn itself.
function PawnMoves(from: nat, to: nat): seq<Move> {
  if to / 8 == 0 || to / 8 == 7 then [Move(from, to, Queen), Move(from, to, Rook), Move(from, to, Bishop), Move(from, to, Knight)]
  else [Move(from, to, Pawn)]
}

predicate Legal64(ms: seq<Move>) { forall m <- ms :: m.from < 64 && m.to < 64 }

function Pushes(p: Position, s: nat): seq<Move>
  requires Valid(p) && s < 64
  ensures Legal64(Pushes(p, s))
{
  var one := Offset(s, Forward(p.turn), 0);
  if one < 0 || p.board[one].Piece? then []
  else
    var two := Offset(one, Forward(p.turn), 0);
    var home := if p.turn == White then 1 else 6;
    PawnMoves(s, one) + (if Row(s) == home && two >= 0 && p.board[two].Empty? then [Move(s, two, Pawn)] else [])
}

function Captures(p: Position, s: nat, dc: int): seq<Move>
  requires Valid(p) && s < 64
  ensures Legal64(Captures(p, s, dc))
{
  var t := Offset(s, Forward(p.turn), dc);
  if t < 0 then []
  else if p.board[t].Piece? && p.board[t].color != p.turn then PawnMoves(s, t)
  else if t == p.passing then [Move(s, t, Pawn)]
  else []
}

function PieceMoves(p: Position, s: nat, k: Kind, targets: seq<nat>): seq<Move>
  requires Valid(p) && s < 64 && forall t <- targets :: t < 64
  ensures Legal64(PieceMoves(p, s, k, targets))
{
  if targets == [] then []
  else
    var t := targets[0];
    assert t in targets && forall u <- targets[1..] :: u in targets;
    (if p.board[t].Piece? && p.board[t].color == p.turn then [] else [Move(s, t, k)]) + PieceMoves(p, s, k, targets[1..])
}

// Castling: nothing between king and rook, and the king not attacked where it stands, passes and arrives.
function Castling(p: Position): seq<Move>
  requires Valid(p)
  ensures Legal64(Castling(p))
{
  var e := if p.turn == White then 4 else 60;
  var foe := Other(p.turn);
  var free := (s: int) requires 0 <= s < 64 => p.board[s].Empty?;
  var safe := (s: int) requires 0 <= s < 64 => !Attacked(p.board, s, foe);
  if p.board[e] != Piece(p.turn, King) || !safe(e) then []
  else
    (if p.turn in p.short && free(e + 1) && free(e + 2) && safe(e + 1) && safe(e + 2) then [Move(e, e + 2, King)] else []) +
    (if p.turn in p.long && free(e - 1) && free(e - 2) && free(e - 3) && safe(e - 1) && safe(e - 2) then [Move(e, e - 2, King)] else [])
}

function MovesFrom(p: Position, s: nat): seq<Move>
  requires Valid(p) && s < 64
  ensures Legal64(MovesFrom(p, s))
{
  match p.board[s]
  case Empty => []
  case Piece(c, k) =>
    if c != p.turn then []
    else if k.Pawn? then Pushes(p, s) + Captures(p, s, -1) + Captures(p, s, 1)
    else PieceMoves(p, s, k, Reach(p.board, s, k, Directions(k)))
}

// The position after a move. A rook that leaves its corner, or is taken there, ends castling to its side.
function Apply(p: Position, m: Move): Position
  requires Valid(p) && m.from < 64 && m.to < 64
  ensures Valid(Apply(p, m)) && Apply(p, m).turn == Other(p.turn)
{
  var piece := p.board[m.from];
  var pawn := piece.Piece? && piece.kind.Pawn?;
  var king := piece.Piece? && piece.kind.King?;
  var placed := if pawn && !m.promotion.Pawn? then Piece(p.turn, m.promotion) else piece;
  var b := p.board[m.from := Empty][m.to := placed];
  var taken := 8 * Row(m.from) + Column(m.to);
  var b1 := if pawn && m.to == p.passing then b[taken := Empty] else b;
  var row := 8 * Row(m.from);
  var b2 :=
    if king && m.to == m.from + 2 && Column(m.from) == 4 then b1[row + 7 := Empty][row + 5 := p.board[row + 7]]
    else if king && m.to + 2 == m.from && Column(m.from) == 4 then b1[row := Empty][row + 3 := p.board[row]]
    else b1;
  var corners := {m.from, m.to};
  var own := if king then {p.turn} else {};
  var short := p.short - own - (if 7 in corners then {White} else {}) - (if 63 in corners then {Black} else {});
  var long := p.long - own - (if 0 in corners then {White} else {}) - (if 56 in corners then {Black} else {});
  var jumped := pawn && (m.to == m.from + 16 || m.from == m.to + 16);
  Position(b2, Other(p.turn), short, long, if jumped then (m.from + m.to) / 2 else -1)
}

function Keep(p: Position, ms: seq<Move>): seq<Move>
  requires Valid(p) && Legal64(ms)
  ensures |Keep(p, ms)| <= |ms| && Legal64(Keep(p, ms))
{
  if ms == [] then []
  else (if InCheck(Apply(p, ms[0]).board, p.turn) then [] else [ms[0]]) + Keep(p, ms[1..])
}

// All moves after which the own king is not attacked.
method Moves(p: Position) returns (ms: seq<Move>)
  requires Valid(p)
  ensures Legal64(ms)
{
  ms := [];
  for s := 0 to 64
    invariant Legal64(ms)
  {
    ms := ms + MovesFrom(p, s);
  }
  ms := Keep(p, ms + Castling(p));
}

method Status(p: Position) returns (s: State)
  requires Valid(p)
{
  var ms := Moves(p);
  var check := InCheck(p.board, p.turn);
  s := if ms == [] then (if check then Mate else Stalemate) else if check then Check else Running;
}

// How many games of `depth` moves there are.
method Count(p: Position, depth: nat) returns (n: nat)
  requires Valid(p)
  decreases depth
{
  if depth == 0 { return 1; }
  var ms := Moves(p);
  n := 0;
  for i := 0 to |ms| {
    var k := Count(Apply(p, ms[i]), depth - 1);
    n := n + k;
  }
}

function ReadPiece(c: char): Square {
  match c
  case 'P' => Piece(White, Pawn) case 'N' => Piece(White, Knight) case 'B' => Piece(White, Bishop)
  case 'R' => Piece(White, Rook) case 'Q' => Piece(White, Queen) case 'K' => Piece(White, King)
  case 'p' => Piece(Black, Pawn) case 'n' => Piece(Black, Knight) case 'b' => Piece(Black, Bishop)
  case 'r' => Piece(Black, Rook) case 'q' => Piece(Black, Queen) case 'k' => Piece(Black, King)
  case _ => Empty
}

// A board of 64 characters from the highest row down, '.' for empty squares.
function ReadBoard(text: string): seq<Square>
  requires |text| == 64
  ensures |ReadBoard(text)| == 64
{
  seq(64, s requires 0 <= s < 64 => ReadPiece(text[8 * (7 - s / 8) + s % 8]))
}

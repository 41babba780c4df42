// Poker: reading cards, the value of hands, the best five of seven cards, and who gets how much of the pots at the end.

datatype Suit = Clubs | Diamonds | Hearts | Spades

datatype Card = Card(rank: nat, suit: Suit)

datatype Kind =
  HighCard | OnePair | TwoPair | Trips | Straight | Flush | FullHouse | Quads | StraightFlush

// The kind of a hand, and the ranks that decide among hands of the same kind, the most important first.
datatype Value = Value(kind: Kind, ranks: seq<nat>)

datatype Group = Group(rank: nat, count: nat)

datatype Option<T> = None | Some(value: T)

predicate Legal(c: Card) { 2 <= c.rank <= 14 }

function ReadRank(c: char): Option<nat>
  ensures ReadRank(c).Some? ==> 2 <= ReadRank(c).value <= 14
{
  match c
  case 'T' => Some(10)
  case 'J' => Some(11)
  case 'Q' => Some(12)
  case 'K' => Some(13)
  case 'A' => Some(14)
  case _ => if '2' <= c <= '9' then Some(c as int - '0' as int) else None
}

function ReadSuit(c: char): Option<Suit> {
  match c
  case 'c' => Some(Clubs)
  case 'd' => Some(Diamonds)
  case 'h' => Some(Hearts)
  case 's' => Some(Spades)
  case _ => None
}

// Cards such as "Td 9h", with any number of spaces between them.
function ReadCards(text: string): Option<seq<Card>>
  ensures ReadCards(text).Some? ==> forall c <- ReadCards(text).value :: Legal(c)
{
  if text == "" then Some([])
  else if text[0] == ' ' then ReadCards(text[1..])
  else if |text| < 2 then None
  else match (ReadRank(text[0]), ReadSuit(text[1]), ReadCards(text[2..]))
    case (Some(r), Some(s), Some(rest)) => Some([Card(r, s)] + rest)
    case (_, _, _) => None
}

function CountRank(cards: seq<Card>, rank: nat): nat {
  if cards == [] then 0 else (if cards[0].rank == rank then 1 else 0) + CountRank(cards[1..], rank)
}

// The groups of cards of equal rank from rank `low` to the ace: larger groups first, higher ranks first among groups of one size.
function Groups(cards: seq<Card>, low: nat): seq<Group>
  requires low <= 15
  decreases 15 - low
{
  if low == 15 then []
  else
    var rest := Groups(cards, low + 1);
    var n := CountRank(cards, low);
    if n == 0 then rest else Place(rest, Group(low, n))
}

// Behind all groups that are as large, since these have higher ranks.
function Place(groups: seq<Group>, g: Group): seq<Group>
  ensures |Place(groups, g)| == |groups| + 1
{
  if groups == [] || groups[0].count < g.count then [g] + groups
  else [groups[0]] + Place(groups[1..], g)
}

function Ranks(groups: seq<Group>): seq<nat>
  ensures |Ranks(groups)| == |groups|
{
  if groups == [] then [] else [groups[0].rank] + Ranks(groups[1..])
}

predicate AllSuit(cards: seq<Card>, s: Suit) { forall c <- cards :: c.suit == s }

// The highest card of a straight. An ace also stands below a two.
function StraightTop(ranks: seq<nat>): Option<nat>
  requires |ranks| == 5
{
  if forall i | 0 <= i < 4 :: ranks[i] == ranks[i + 1] + 1 then Some(ranks[0])
  else if ranks == [14, 5, 4, 3, 2] then Some(5)
  else None
}

function Evaluate(hand: seq<Card>): Value
  requires |hand| == 5
  ensures |Evaluate(hand).ranks| <= 5
{
  var groups := Groups(hand, 2);
  var ranks := if |groups| <= 5 then Ranks(groups) else Ranks(groups[..5]);
  var flush := AllSuit(hand, hand[0].suit);
  var straight := if |ranks| == 5 then StraightTop(ranks) else None;
  var first := if |groups| > 0 then groups[0].count else 0;
  var second := if |groups| > 1 then groups[1].count else 0;
  if straight.Some? then Value(if flush then StraightFlush else Straight, [straight.value])
  else if first == 4 then Value(Quads, ranks)
  else if first == 3 && second == 2 then Value(FullHouse, ranks)
  else if flush then Value(Flush, ranks)
  else if first == 3 then Value(Trips, ranks)
  else if first == 2 then Value(if second == 2 then TwoPair else OnePair, ranks)
  else Value(HighCard, ranks)
}

function Order(k: Kind): nat {
  match k
  case HighCard => 0
  case OnePair => 1
  case TwoPair => 2
  case Trips => 3
  case Straight => 4
  case Flush => 5
  case FullHouse => 6
  case Quads => 7
  case StraightFlush => 8
}

// Negative if the first sequence is less, positive if it is greater.
function CompareRanks(a: seq<nat>, b: seq<nat>): int
  ensures a == b ==> CompareRanks(a, b) == 0
{
  if a == [] && b == [] then 0
  else if a == [] then -1
  else if b == [] then 1
  else if a[0] != b[0] then a[0] - b[0]
  else CompareRanks(a[1..], b[1..])
}

function Compare(a: Value, b: Value): int {
  if a.kind != b.kind then Order(a.kind) - Order(b.kind) else CompareRanks(a.ranks, b.ranks)
}

// The best five cards: all ways of leaving two of seven out.
method Best(cards: seq<Card>) returns (best: Value, hand: seq<Card>)
  requires |cards| == 7
  ensures |hand| == 5 && best == Evaluate(hand)
{
  hand := cards[..5];
  best := Evaluate(hand);
  for i := 0 to 6
    invariant |hand| == 5 && best == Evaluate(hand)
  {
    for j := i + 1 to 7
      invariant |hand| == 5 && best == Evaluate(hand)
    {
      var h := cards[..i] + cards[i + 1..j] + cards[j + 1..];
      var v := Evaluate(h);
      if Compare(v, best) > 0 {
        best, hand := v, h;
      }
    }
  }
}

// A player at the showdown: what they put in, what their cards are worth, and whether they gave up.
datatype Player = Player(paid: nat, value: Value, folded: bool)

function Smallest(players: seq<Player>, above: nat): nat
  ensures Smallest(players, above) == 0 || Smallest(players, above) > above
{
  if players == [] then 0
  else
    var rest := Smallest(players[1..], above);
    var p := players[0];
    if p.folded || p.paid <= above then rest
    else if rest == 0 || p.paid < rest then p.paid
    else rest
}

// What all players put in between two levels.
function Layer(players: seq<Player>, low: nat, high: nat): nat
  requires low <= high
{
  if players == [] then 0
  else
    var p := players[0].paid;
    (if p <= low then 0 else if p >= high then high - low else p - low) + Layer(players[1..], low, high)
}

// The seats that win a pot to which one had to pay at least `level`.
method Winners(players: seq<Player>, level: nat) returns (seats: seq<nat>)
  ensures forall s <- seats :: s < |players| && !players[s].folded && players[s].paid >= level
{
  seats := [];
  for i := 0 to |players|
    invariant forall s <- seats :: s < i && !players[s].folded && players[s].paid >= level
    invariant seats != [] ==> seats[0] in seats
  {
    var p := players[i];
    if !p.folded && p.paid >= level {
      if seats == [] || Compare(p.value, players[seats[0]].value) > 0 {
        seats := [i];
      } else if Compare(p.value, players[seats[0]].value) == 0 {
        seats := seats + [i];
      }
    }
  }
}

// Shares the main pot and the side pots out. Chips that cannot be divided go to the first seats behind the dealer, one each.
method Showdown(players: seq<Player>, dealer: nat) returns (gains: seq<nat>, rest: nat)
  requires dealer < |players|
  ensures |gains| == |players|
{
  gains := seq(|players|, _ => 0);
  var level, top := 0, 0;
  for i := 0 to |players| {
    if players[i].paid > top { top := players[i].paid; }
  }
  var next := Smallest(players, level);
  while next > level
    invariant |gains| == |players|
    decreases if top > level then top - level else 0, if next > level then 1 else 0
  {
    var pot := Layer(players, level, next);
    var seats := Winners(players, next);
    if seats != [] {
      var odd := pot % |seats|;
      for k := 1 to |players| + 1
        invariant |gains| == |players|
      {
        var s := (dealer + k) % |players|;
        if s in seats {
          gains := gains[s := gains[s] + pot / |seats| + (if odd > 0 then 1 else 0)];
          odd := if odd > 0 then odd - 1 else 0;
        }
      }
    }
    level := next;
    if level < top {
      next := Smallest(players, level);
    }
  }
  rest := if level < top then Layer(players, level, top) else 0;
}

// Quantities with units: exact fractions, dimensions, prefixes, units written as text such as
// `km/h^2`, conversion, temperatures with an offset.
module Units {
  datatype Result<T> = Ok(value: T) | Error(at: nat)

  datatype Fraction = Fraction(num: int, den: int)

  // The powers of metre, gram, second and kelvin.
  datatype Dimension = Dimension(length: int, mass: int, time: int, heat: int)

  datatype Unit = Unit(dimension: Dimension, factor: Fraction, offset: Fraction)

  datatype Quantity = Quantity(amount: Fraction, unit: Unit)

  predicate Proper(f: Fraction) {
    f.den > 0
  }

  type Rational = f: Fraction | Proper(f) witness Fraction(0, 1)

  function Gcd(a: nat, b: nat): nat
    ensures a > 0 || b > 0 ==> Gcd(a, b) > 0
    decreases b
  {
    if b == 0 then a else Gcd(b, a % b)
  }

  function Abs(n: int): nat {
    if n < 0 then -n else n
  }

  function Reduced(f: Rational): Rational {
    var g := Gcd(Abs(f.num), f.den);
    if f.den / g > 0 then Fraction(f.num / g, f.den / g) else f
  }

  function Plus(a: Rational, b: Rational): Rational {
    assert a.den * b.den > 0;
    Reduced(Fraction(a.num * b.den + b.num * a.den, a.den * b.den))
  }

  function Minus(a: Rational, b: Rational): Rational {
    Plus(a, Fraction(-b.num, b.den))
  }

  function Times(a: Rational, b: Rational): Rational {
    assert a.den * b.den > 0;
    Reduced(Fraction(a.num * b.num, a.den * b.den))
  }

  function Inverse(a: Rational): Rational
    requires a.num != 0
  {
    if a.num > 0 then Fraction(a.den, a.num) else Fraction(-a.den, -a.num)
  }

  function Less(a: Rational, b: Rational): bool {
    a.num * b.den < b.num * a.den
  }

  function Round(a: Rational): int {
    // Halves are rounded away from zero.
    if a.num >= 0 then (2 * a.num + a.den) / (2 * a.den)
    else -((2 * -a.num + a.den) / (2 * a.den))
  }

  const One: Rational := Fraction(1, 1)
  const Zero: Rational := Fraction(0, 1)
  const None: Dimension := Dimension(0, 0, 0, 0)

  function Power(f: Rational, n: int): Rational
    decreases Abs(n), if n < 0 then 1 else 0
  {
    if n == 0 then One
    else if n < 0 then (var p := Power(f, -n); if p.num == 0 then Zero else Inverse(p))
    else Times(f, Power(f, n - 1))
  }

  function Raised(d: Dimension, n: int): Dimension {
    Dimension(d.length * n, d.mass * n, d.time * n, d.heat * n)
  }

  function Joined(a: Dimension, b: Dimension): Dimension {
    Dimension(a.length + b.length, a.mass + b.mass, a.time + b.time, a.heat + b.heat)
  }

  type Known = u: Unit | Proper(u.factor) && u.factor.num > 0 && Proper(u.offset)
    witness Unit(None, Fraction(1, 1), Fraction(0, 1))

  // Units by their names; prefixes may precede those that are marked.
  function Base(name: string): Result<(Unit, bool)> {
    match name
    case "m" => Ok((Unit(None.(length := 1), One, Zero), true))
    case "g" => Ok((Unit(None.(mass := 1), One, Zero), true))
    case "s" => Ok((Unit(None.(time := 1), One, Zero), true))
    case "K" => Ok((Unit(None.(heat := 1), One, Zero), true))
    case "min" => Ok((Unit(None.(time := 1), Fraction(60, 1), Zero), false))
    case "h" => Ok((Unit(None.(time := 1), Fraction(3600, 1), Zero), false))
    case "in" => Ok((Unit(None.(length := 1), Fraction(127, 5000), Zero), false))
    case "lb" => Ok((Unit(None.(mass := 1), Fraction(45359237, 100000), Zero), false))
    case "N" => Ok((Unit(Dimension(1, 1, -2, 0), Fraction(1000, 1), Zero), true))
    case "degC" => Ok((Unit(None.(heat := 1), One, Fraction(27315, 100)), false))
    case "degF" => Ok((Unit(None.(heat := 1), Fraction(5, 9), Fraction(45967, 180)), false))
    case _ => Error(0)
  }

  function Prefix(c: char): int {
    match c
    case 'G' => 9
    case 'M' => 6
    case 'k' => 3
    case 'c' => -2
    case 'm' => -3
    case 'u' => -6
    case _ => 0
  }

  // A name, possibly with a prefix. Whole names take precedence: `min` is no inch.
  function Named(name: string): Result<Unit> {
    match Base(name)
    case Ok(u) => Ok(u.0)
    case Error(_) =>
      if |name| < 2 || Prefix(name[0]) == 0 then Error(0)
      else
        match Base(name[1..])
        case Ok(u) =>
          if u.1 then Ok(u.0.(factor := Times(u.0.factor, Power(Fraction(10, 1), Prefix(name[0])))))
          else Error(1)
        case Error(at) => Error(at + 1)
  }

  predicate IsLetter(c: char) {
    'a' <= c <= 'z' || 'A' <= c <= 'Z'
  }

  predicate IsDigit(c: char) {
    '0' <= c <= '9'
  }

  function Letters(s: string): nat
    ensures Letters(s) <= |s|
  {
    if |s| > 0 && IsLetter(s[0]) then 1 + Letters(s[1..]) else 0
  }

  // The number at the front of a text, and its length.
  function Digits(s: string, value: int): (int, nat)
    ensures Digits(s, value).1 <= |s|
  {
    if |s| > 0 && IsDigit(s[0]) then
      var (n, length) := Digits(s[1..], 10 * value + (s[0] - '0') as int);
      (n, length + 1)
    else (value, 0)
  }

  // Parses factors with `*` and `/` between them; a slash is for the next factor only.
  method Parse(s: string) returns (r: Result<Unit>) {
    var unit := Unit(None, One, Zero);
    var at := 0;
    var sign := 1;
    var count := 0;
    while true
      invariant at <= |s|
      invariant Proper(unit.factor)
      decreases |s| - at
    {
      var length := Letters(s[at..]);
      if length == 0 {
        return Error(at);
      }
      var named := Named(s[at..at + length]);
      if named.Error? {
        return Error(at + named.at);
      }
      at := at + length;
      var exponent := 1;
      if at < |s| && s[at] == '^' {
        var negative := at + 1 < |s| && s[at + 1] == '-';
        var from := if negative then at + 2 else at + 1;
        var (n, digits) := Digits(s[from..], 0);
        if digits == 0 {
          return Error(from);
        }
        exponent := if negative then -n else n;
        at := from + digits;
      }
      var factor: Fraction := named.value.factor;
      if !Proper(factor) {
        return Error(at);
      }
      unit := Unit(Joined(unit.dimension, Raised(named.value.dimension, sign * exponent)),
        Times(unit.factor, Power(factor, sign * exponent)),
        if count == 0 && exponent == 1 then named.value.offset else Zero);
      count := count + 1;
      if at == |s| {
        return Ok(unit);
      }
      if s[at] != '*' && s[at] != '/' {
        return Error(at);
      }
      sign := if s[at] == '/' then -1 else 1;
      at := at + 1;
    }
    r := Ok(unit);
  }

  // The quantity in another unit of the same dimension.
  function Convert(amount: Rational, from: Known, to: Known): Result<Rational> {
    if from.dimension != to.dimension then Error(0)
    else
      var base := Plus(Times(amount, from.factor), from.offset);
      Ok(Times(Minus(base, to.offset), Inverse(to.factor)))
  }

  // Adds quantities; differences of temperatures have no offset, the sum has the first unit.
  function Sum(amounts: seq<(Rational, Known)>): Result<Rational> {
    if |amounts| == 0 then Error(0)
    else if |amounts| == 1 then Ok(amounts[0].0)
    else
      var (amount, unit) := amounts[|amounts| - 1];
      match Convert(amount, unit.(offset := Zero), amounts[0].1.(offset := Zero))
      case Error(_) => Error(|amounts| - 1)
      case Ok(converted) =>
        match Sum(amounts[..|amounts| - 1])
        case Error(at) => Error(at)
        case Ok(rest) => Ok(Plus(rest, converted))
  }

  // A decimal text with so many places.
  method Show(a: Rational, places: nat) returns (s: string) {
    var scaled := Round(Times(a, Power(Fraction(10, 1), places)));
    var left: nat := Abs(scaled);
    s := "";
    var count := 0;
    while left > 0 || count <= places
      decreases left, if count <= places then places - count + 1 else 0
    {
      if count == places && places > 0 {
        s := "." + s;
      }
      s := [('0' as int + left % 10) as char] + s;
      left := left / 10;
      count := count + 1;
    }
    if scaled < 0 {
      s := "-" + s;
    }
  }
}

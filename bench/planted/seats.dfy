// Seats of a theatre: rows that are offered by rules, holds that expire by a clock that others implement, prices by strategy, and a
// waiting list.

datatype Option<T> = None | Some(value: T)

datatype State = Free | Held(by_: string, until: nat) | Sold(owner: string, price: nat)

datatype Seat = Seat(row: nat, number: nat)

trait Clock extends object {
  ghost const Repr: set<object>

  method Now() returns (time: nat)
    modifies Repr
}

trait Pricing {
  function Price(seat: Seat, sold: nat, total: nat): nat
    requires sold <= total
}

class Flat extends Pricing {
  const price: nat

  constructor (price: nat)
    ensures this.price == price
  {
    this.price := price;
  }

  function Price(seat: Seat, sold: nat, total: nat): nat
    requires sold <= total
  {
    price
  }
}

// Rows in front cost more; so does the last fifth of a house.
class Staggered extends Pricing {
  const front: nat
  const step: nat

  constructor (front: nat, step: nat)
    ensures this.front == front && this.step == step
  {
    this.front, this.step := front, step;
  }

  function Price(seat: Seat, sold: nat, total: nat): nat
    requires sold <= total
  {
    var discount := seat.row * step;
    var base := if discount < front then front - discount else 0;
    if 5 * sold >= 4 * total then base + base / 10 else base
  }
}

class Theatre {
  const rows: nat
  const width: nat
  const holdTime: nat
  const pricing: Pricing
  var seats: array2<State>
  var sold: nat
  var income: nat
  var waiting: seq<(string, nat)>  // Names and the numbers of seats, the first to come first.
  ghost var Repr: set<object>

  ghost predicate Valid()
    reads this, Repr
  {
    && this in Repr && seats in Repr
    && seats.Length0 == rows && seats.Length1 == width
    && sold <= rows * width
  }

  constructor (rows: nat, width: nat, holdTime: nat, pricing: Pricing)
    requires rows > 0 && width > 0
    ensures Valid() && fresh(Repr) && sold == 0 && income == 0 && waiting == []
  {
    this.rows, this.width, this.holdTime, this.pricing := rows, width, holdTime, pricing;
    var all := new State[rows, width]((r, n) => Free);
    seats := all;
    sold, income, waiting := 0, 0, [];
    Repr := {this, all};
  }

  predicate IsFree(row: nat, number: nat, now: nat)
    requires Valid() && row < rows && number < width
    reads Repr
  {
    match seats[row, number]
    case Free => true
    case Held(_, until) => until <= now
    case Sold(_, _) => false
  }

  // The length of the run of free seats that begins here.
  function RunFrom(row: nat, number: nat, now: nat): nat
    requires Valid() && row < rows && number <= width
    reads Repr
    ensures number + RunFrom(row, number, now) <= width
    decreases width - number
  {
    if number == width || !IsFree(row, number, now) then 0 else 1 + RunFrom(row, number + 1, now)
  }

  // The best place for a party side by side: the front row, the shortest run that is long enough, then the left one. No single seat
  // is left over if that can be avoided in the row.
  method FindBlock(party: nat, now: nat) returns (place: Option<Seat>)
    requires Valid() && party > 0
    ensures place.Some? ==> place.value.row < rows && place.value.number + party <= width
  {
    place := None;
    var row := 0;
    while row < rows && place.None?
      invariant 0 <= row <= rows
      invariant place.Some? ==> place.value.row < rows && place.value.number + party <= width
    {
      var bestLength := 0;
      var bestSingle := true;
      var number := 0;
      while number < width
        invariant 0 <= number <= width
        invariant place.Some? ==> place.value.row < rows && place.value.number + party <= width
      {
        var length := RunFrom(row, number, now);
        if length >= party {
          var single := length == party + 1;
          if place.None? || (bestSingle && !single) || (bestSingle == single && length < bestLength) {
            place := Some(Seat(row, number));
            bestLength, bestSingle := length, single;
          }
        }
        number := number + length + 1;
        if number > width {
          number := width;
        }
      }
      row := row + 1;
    }
  }

  method Hold(name: string, party: nat, clock: Clock) returns (place: Option<Seat>)
    requires Valid() && party > 0 && Repr !! clock.Repr
    modifies Repr, clock.Repr
    ensures Valid() && Repr == old(Repr)
    ensures sold == old(sold) && income == old(income)
    ensures place.None? ==> waiting == old(waiting) + [(name, party)]
  {
    var now := clock.Now();
    place := FindBlock(party, now);
    match place {
      case None =>
        waiting := waiting + [(name, party)];
      case Some(seat) =>
        for i := 0 to party
          invariant Valid() && Repr == old(Repr) && sold == old(sold) && income == old(income)
        {
          seats[seat.row, seat.number + i] := Held(name, now + holdTime);
        }
    }
  }

  // Sells all seats that a customer holds; holds that have expired are freed.
  method Buy(name: string, clock: Clock) returns (count: nat, total: nat)
    requires Valid() && Repr !! clock.Repr
    modifies Repr, clock.Repr
    ensures Valid() && Repr == old(Repr)
    ensures income == old(income) + total
  {
    var now := clock.Now();
    count, total := 0, 0;
    for row := 0 to rows
      invariant Valid() && Repr == old(Repr)
      invariant income == old(income)
    {
      for number := 0 to width
        invariant Valid() && Repr == old(Repr)
        invariant income == old(income)
      {
        match seats[row, number] {
          case Held(who, until) =>
            if until <= now {
              seats[row, number] := Free;
            } else if who == name && sold < rows * width {
              var price := pricing.Price(Seat(row, number), sold, rows * width);
              seats[row, number] := Sold(name, price);
              sold, count, total := sold + 1, count + 1, total + price;
            }
          case _ =>
        }
      }
    }
    income := income + total;
  }

  // Takes seats back; a day before the show nine tenths of the price are returned, later half of it.
  method Refund(name: string, clock: Clock, show: nat) returns (returned: nat)
    requires Valid() && Repr !! clock.Repr
    modifies Repr, clock.Repr
    ensures Valid() && Repr == old(Repr)
    ensures income <= old(income)
  {
    var now := clock.Now();
    returned := 0;
    for row := 0 to rows
      invariant Valid() && Repr == old(Repr) && income == old(income)
    {
      for number := 0 to width
        invariant Valid() && Repr == old(Repr) && income == old(income)
      {
        match seats[row, number] {
          case Sold(who, price) =>
            if who == name {
              returned := returned + if now + 1440 <= show then price - price / 10 else price / 2;
              seats[row, number] := Free;
              sold := if sold > 0 then sold - 1 else 0;
            }
          case _ =>
        }
      }
    }
    income := if returned <= income then income - returned else 0;
  }

  // Gives free seats to those who wait, in their order; a party that is too large does not stop those behind it.
  method ServeWaiting(clock: Clock) returns (served: seq<string>)
    requires Valid() && Repr !! clock.Repr
    requires forall w <- waiting :: w.1 > 0
    modifies Repr, clock.Repr
    ensures Valid() && Repr == old(Repr)
    ensures |served| <= old(|waiting|)
  {
    served := [];
    var queue := waiting;
    waiting := [];
    for i := 0 to |queue|
      invariant Valid() && Repr == old(Repr)
      invariant |served| <= i
    {
      var place := Hold(queue[i].0, queue[i].1, clock);
      if place.Some? {
        served := served + [queue[i].0];
      }
    }
  }
}

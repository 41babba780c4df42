// Dates of the Gregorian calendar: numbers of days, months that are added, weeks of the ISO
// calendar, working days with holidays, and payment plans.
module Dates {
  datatype Date = Date(year: int, month: int, day: int)

  datatype Span = Span(years: int, months: int, days: int)

  datatype Convention = Following | Preceding | ModifiedFollowing

  predicate IsLeap(year: int) {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  function DaysIn(year: int, month: int): int
    requires 1 <= month <= 12
    ensures 28 <= DaysIn(year, month) <= 31
  {
    if month == 2 then
      if IsLeap(year) then 29 else 28
    else if month in {4, 6, 9, 11} then 30 else 31
  }

  predicate IsDate(d: Date) {
    1 <= d.month <= 12 && 1 <= d.day <= DaysIn(d.year, d.month)
  }

  type Valid = d: Date | IsDate(d) witness Date(2000, 1, 1)

  predicate Before(a: Date, b: Date) {
    a.year < b.year
    || (a.year == b.year && (a.month < b.month || (a.month == b.month && a.day < b.day)))
  }

  // The number of days since 1 March of the year 0.
  function Number(d: Valid): int {
    var year := if d.month <= 2 then d.year - 1 else d.year;
    var month := if d.month <= 2 then d.month + 9 else d.month - 3;
    year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + d.day - 1
  }

  // 1 is Monday, 7 is Sunday.
  function Weekday(d: Valid): int
    ensures 1 <= Weekday(d) <= 7
  {
    (Number(d) + 2) % 7 + 1
  }

  method AddDays(d: Valid, n: int) returns (r: Valid) {
    var year, month, day := d.year, d.month, d.day + n;
    while day < 1
      invariant 1 <= month <= 12
      invariant day <= 31 || n >= 0
      decreases if day < 1 then 1 - day else 0
    {
      if month == 1 {
        year := year - 1;
        month := 12;
      } else {
        month := month - 1;
      }
      day := day + DaysIn(year, month);
    }
    while day > DaysIn(year, month)
      invariant 1 <= month <= 12 && day >= 1
      decreases day
    {
      day := day - DaysIn(year, month);
      if month == 12 {
        year := year + 1;
        month := 1;
      } else {
        month := month + 1;
      }
    }
    r := Date(year, month, day);
  }

  // The same day of a later or earlier month, or the last one of that month.
  function AddMonths(d: Valid, n: int): Valid {
    var total := d.year * 12 + d.month - 1 + n;
    var year, month := total / 12, total % 12 + 1;
    var last := DaysIn(year, month);
    Date(year, month, if d.day < last then d.day else last)
  }

  // The whole months and the days from one date to a later one.
  function Between(a: Valid, b: Valid): Span
    requires !Before(b, a)
  {
    var months := (b.year - a.year) * 12 + b.month - a.month;
    var whole := if Before(b, AddMonths(a, months)) then months - 1 else months;
    var days := Number(b) - Number(AddMonths(a, whole));
    Span(whole / 12, whole % 12, days)
  }

  // The year and the week that a date has in the ISO calendar.
  function Week(d: Valid): (int, int) {
    var thursday := Number(d) - Weekday(d) + 4;
    var first := Number(Date(d.year, 1, 1));
    if thursday < first then
      (d.year - 1, (thursday - Number(Date(d.year - 1, 1, 1))) / 7 + 1)
    else if thursday >= Number(Date(d.year + 1, 1, 1)) then
      (d.year + 1, 1)
    else
      (d.year, (thursday - first) / 7 + 1)
  }

  class Calendar {
    var holidays: set<Date>
    // Holidays of every year, by month and day.
    var yearly: map<(int, int), string>

    constructor () {
      holidays := {};
      yearly := map[(1, 1) := "New Year", (12, 25) := "Christmas"];
    }

    method Declare(d: Valid, everyYear: bool, name: string)
      modifies this
    {
      if everyYear {
        yearly := yearly[(d.month, d.day) := name];
      } else {
        holidays := holidays + {d};
      }
    }

    predicate IsFree(d: Valid)
      reads this
    {
      Weekday(d) >= 6 || d in holidays || (d.month, d.day) in yearly
    }

    // The nearest working day after or before a date, within a year.
    method Adjust(d: Valid, c: Convention) returns (r: Valid) {
      var step := if c == Preceding then -1 else 1;
      r := d;
      var tries := 0;
      while IsFree(r) && tries < 366
        decreases 366 - tries
      {
        r := AddDays(r, step);
        if c == ModifiedFollowing && r.month != d.month {
          step := -1;
          r := d;
        }
        tries := tries + 1;
      }
    }

    method WorkingDays(a: Valid, b: Valid) returns (n: nat) {
      n := 0;
      var d := a;
      var left := Number(b) - Number(a);
      while left > 0
        decreases left
      {
        if !IsFree(d) {
          n := n + 1;
        }
        d := AddDays(d, 1);
        left := left - 1;
      }
    }

    // The dates at which an amount is paid in rates, one for each of so many months.
    method Plan(start: Valid, every: nat, rates: nat, c: Convention) returns (ds: seq<Date>) {
      ds := [];
      for i := 0 to rates {
        var due := Adjust(AddMonths(start, i * every), c);
        if |ds| == 0 || Before(ds[|ds| - 1], due) {
          ds := ds + [due];
        }
      }
    }
  }
}

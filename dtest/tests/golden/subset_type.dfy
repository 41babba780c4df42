type Percent = x: int | 0 <= x <= 100

function Rest(p: Percent): Percent {
  100 - p
}

type NonEmpty<T> = s: seq<T> | |s| > 0 witness *

function Last<T>(s: NonEmpty<T>): T {
  s[|s| - 1]
}

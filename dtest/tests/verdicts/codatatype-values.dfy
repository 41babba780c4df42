// refused: 12, 15
codatatype Grows<T> = More(T, Grows<(T, T)>)
codatatype Same<T> = Again(T, Same<T>)
codatatype Far<T> = Away(Far<int>)
class Cell {}

method Zero<T(0)>() returns (t: T) { t := *; }

method M<T(0)>() {
  var a := Zero<Same<T>>();
  var b := Zero<Far<int>>();
  var c := Zero<Far<bool>>();
  var d: seq<Same<Cell>>;
  // Its second argument is never seen to end.
  var e := Zero<Grows<int>>();
}

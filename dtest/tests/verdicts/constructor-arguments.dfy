// refused: 5, 8, 11, 16, 21, 24
datatype Outcome<E> = Pass | Fail(error: E)
function Need<E>(condition: bool, error: E): (result: Outcome<E>) {
  if condition then Pass else
   Fail(0)
}
function Need2<E>(condition: bool, error: E): (result: Outcome<E>) {
   Fail(0)
}
function Need3<E>(condition: bool, error: E): (result: Outcome<E>) {
   Fail(condition)
}
function Need4<E>(condition: bool, error: E): (result: Outcome<E>) {
  if condition then Pass else
   Outcome.Fail(
   "a")
}
method M<E>() returns (r: Outcome<E>) {
  r :=
   Fail(
     3);
  return
   Fail(
     3);
}

// refused: 3, 4, 6
datatype R<+E> = Pass | Fail(nameonly error: E) | Two(a: int, nameonly b: int := 3)
function Need<E>(condition: bool, error: E): R<E> { if condition then Pass else Fail(error) }
function F(): R<int> { R.Fail(3) }
function G(): R<int> { Fail(error := 3) }
function H(): R<int> { Two(3, 4) }
function I(): R<int> { Two(3, b := 4).(b := 5) }
function J(r: R<int>): int { match r case Fail(e) => e case Two(a, b) => a + b case _ => 0 }

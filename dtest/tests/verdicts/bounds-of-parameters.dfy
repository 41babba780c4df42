// refused: 5, 6, 7
trait Shape { }
datatype Way = Left
type Round = s: Shape? | s == null
method None<X extends Way>() { }
function Integer<X extends int>(): int { 3 }
class Holder<X extends seq<Shape>> { }
method Fine<X extends Shape, Y extends object, Z extends Round>() { }

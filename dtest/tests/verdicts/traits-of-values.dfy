// refused: 9, 11, 13
// options: --general-traits=datatype
// The older type system knows the traits of references only.
trait Parent {}
trait Child extends Parent {}
datatype Value extends Parent = Value
class Object extends Parent {}
type Unknown extends Parent
function Up(v: Value): Parent { v }
function Of(o: Object): Parent { o }
function Through<T extends Parent>(t: T): Parent { t }
function From(c: Child): Parent { c }
function Abstract(u: Unknown): Parent { u }

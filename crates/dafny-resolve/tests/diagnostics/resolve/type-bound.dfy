datatype Way = Left
method None<X extends Way>() { }

datatype Way = Left? | Right

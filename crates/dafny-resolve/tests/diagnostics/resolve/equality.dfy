predicate In<T>(x: T, s: seq<T>) { x in s }

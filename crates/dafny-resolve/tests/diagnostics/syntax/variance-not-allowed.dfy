method Swap<+T>(a: T, b: T) {}

class Box<+T> {}

class Cell {
  constructor () {
    return;
    new;
  }
}

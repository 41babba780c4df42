datatype Command = Add(n: int) | Clear

method Run(total: int, c: Command) returns (r: int) {
  match c {
    case Add(n) => r := total + n;
    case Clear => r := 0;
  }
}

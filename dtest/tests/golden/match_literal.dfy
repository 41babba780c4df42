function Digit(s: string): int {
  match s
  case "one" => 1
  case "two" => 2
  case _ => 0
}

function Table(): imap<int, int> {
  imap[1 := 10]
}

function Entry(): int {
  Table()[1]
}

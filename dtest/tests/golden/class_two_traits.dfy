trait Named {
  function Name(): string
}

trait Sized {
  function Size(): int
}

class File extends Named, Sized {
  constructor () {
  }

  function Name(): string {
    "file"
  }

  function Size(): int {
    3
  }
}

trait Base {
  function Id(): int
}

trait Extended extends Base {
  function Next(): int {
    Id() + 1
  }
}

class Item extends Extended {
  constructor () {
  }

  function Id(): int {
    7
  }
}

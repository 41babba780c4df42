class Engine {
  var power: int

  constructor (power: int)
    ensures this.power == power
  {
    this.power := power;
  }
}

class Car {
  const engine: Engine

  constructor (engine: Engine)
    ensures this.engine == engine
  {
    this.engine := engine;
  }

  method Tune()
    modifies engine
    ensures engine.power == old(engine.power) + 1
  {
    engine.power := engine.power + 1;
  }
}

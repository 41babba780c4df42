trait Animal {
  method Noise() returns (s: string)
}

class Cat extends Animal {
  constructor () {
  }

  method Noise() returns (s: string) {
    s := "meow";
  }
}

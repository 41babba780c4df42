function Greeting(name: string): string {
  "Hello, " + name + "!"
}

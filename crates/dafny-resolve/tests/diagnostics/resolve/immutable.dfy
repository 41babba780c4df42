class Account {
  const limit: int := 10
  constructor () {
    limit := 3;
  }
}

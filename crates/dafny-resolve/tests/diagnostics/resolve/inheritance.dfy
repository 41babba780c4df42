// options: --general-traits=full --general-newtypes=true
newtype Doubled extends Able = imap<int, int> {
}
trait {:termination false} Able {
  const Keys: int
}

// options: --type-system-refresh=true --general-newtypes=true
module Constants {
  const a := b
  const b := c + 1
  const c := a
}

// gen --strength coverage --coverage mcdc
function Allowed(admin: bool, owner: bool): int {
  if admin || owner then 1 else 0
}

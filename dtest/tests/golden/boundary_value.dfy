// gen --strength coverage --coverage boundary
function Adult(age: nat): bool {
  age >= 18
}

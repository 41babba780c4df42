// gen --strength coverage --unicode-char=false
function Units(): int {
  |"\ud83d\ude00"|
}

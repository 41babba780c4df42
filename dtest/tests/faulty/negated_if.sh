#!/bin/sh
# Plays a verifier with a mistake, for trying `cargo dtest fuzz --verifier 'sh dtest/tests/faulty/negated_if.sh {}'`: the translation of `if` statements to
# Boogie swaps their branches (Tee, Fuzzing the Dafny Verifier, 2023, 8.2.1). What Dafny 2.3 (Debian's `dafny` and `boogie`) writes for a program is changed
# before Boogie reads it: behind each comment that begins an `if` statement the condition is negated.
bpl=$(mktemp --suffix=.bpl) && out=$(mktemp) || exit 2
trap 'rm -f "$bpl" "$out"' EXIT
dafny /compile:0 /noVerify /nologo "/print:$bpl" "$1" > "$out" 2>&1
if ! grep -q '^Dafny program verifier finished' "$out"; then
  cat "$out"
  exit 1
fi
sed -i '/----- if statement -----/,/^ *if (/ s/^\( *\)if (\(.*[^*].*\))$/\1if (!(\2))/' "$bpl"
boogie /nologo "$bpl" 2>&1 | sed 's/^Boogie program verifier/Dafny program verifier/'

function {:abstemious} Three(): int { 3 }

function {:print} F(): int { 3 }

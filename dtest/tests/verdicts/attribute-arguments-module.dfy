// refused: 3, 4
module Named { const bar := 3 }
module {:foo bar} Mod { import Named }
module {:verify zzz} Empty { }
module {:foo M, K} Fine { function M(): int { 3 } const K := 3 }

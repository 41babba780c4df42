const Numbers := seq<int, int>(3, i => i)

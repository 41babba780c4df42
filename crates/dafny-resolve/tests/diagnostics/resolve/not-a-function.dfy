method Call() { var n := 3(); }

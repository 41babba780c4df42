const Huge := 1e9999999

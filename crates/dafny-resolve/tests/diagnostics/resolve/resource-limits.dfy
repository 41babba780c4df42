method {:rlimit 1} {:resource_limit 100} Slow() { }

module {:options "--verify-included-files"} Commands {}

const Limit

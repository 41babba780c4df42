module {:extern "one.name"} First {}
module {:extern "one.name"} Third {}

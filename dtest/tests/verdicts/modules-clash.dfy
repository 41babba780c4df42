// refused: 6
module {:extern "one.name"} First {}
module {:compile false} {:extern "one.name"} NotCompiled {}
abstract module {:extern "one.name"} NorThis {}
module {:extern "other.name"} Second {}
module {:extern "one.name"} Third {}

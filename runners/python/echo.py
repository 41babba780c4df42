"""A port of functions that return their argument, for tests of the runner: `python3 echo.py VECTORS`."""
import sys

import vectors


class Echo(dict):
    def __contains__(self, path):
        return path.startswith("Echo.")

    def __missing__(self, path):
        return lambda x: x


if __name__ == "__main__":
    sys.exit(vectors.main(sys.argv[1:], Echo()))

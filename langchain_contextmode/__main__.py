"""`python -m langchain_contextmode`."""

import sys

from langchain_contextmode.cli import main

if __name__ == "__main__":
    sys.exit(main())

"""`python -m markable` is the command `markable`."""

import sys

from markable.cli import main

sys.exit(main())

"""`python -m bonafide` is the command line."""

from bonafide.cli import main

main()

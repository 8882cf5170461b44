"""``python -m toolschema``: the command line."""

from toolschema.cli import main

if __name__ == "__main__":
    raise SystemExit(main())

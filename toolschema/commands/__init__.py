"""The commands of ``toolschema``, one module each, all of one shape.

Each has ``SUMMARY``, ``TEXT`` and ``EXAMPLE`` for its help, ``add_arguments(parser)``, and
``run(arguments)``, which answers the exit code.
"""

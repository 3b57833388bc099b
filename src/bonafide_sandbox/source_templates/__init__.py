"""Templates for the files of a new source (`bonafide_sandbox.new_source`), by kind."""

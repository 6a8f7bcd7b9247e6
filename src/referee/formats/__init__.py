"""The formats of texts: one file, or one folder, a format. `referee.inputs.registry` names them all."""

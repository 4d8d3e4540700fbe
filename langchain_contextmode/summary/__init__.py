"""The rolling summary: what of the older turns stays in view, made slice by slice, committed whole or not at all."""

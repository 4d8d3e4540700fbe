"""The steps of a preparation, one file each: coroutines over `IO`, without any I/O of their own."""

"""Compare a screened subject with listed parties."""

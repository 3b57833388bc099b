"""What the tests of monitoring share that run whole installations."""

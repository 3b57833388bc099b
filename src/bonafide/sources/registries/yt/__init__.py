"""The Yukon's corporate register, as a snapshot of January 2023."""

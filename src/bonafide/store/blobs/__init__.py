"""Files in a local folder or an S3-compatible bucket."""

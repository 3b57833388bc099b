"""Global LEI index: Global Legal Entity Identifier Foundation."""

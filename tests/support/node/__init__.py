"""Node.js for the examples of the documentation."""

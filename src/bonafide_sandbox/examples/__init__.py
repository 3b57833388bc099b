"""The examples that the demo begins with: businesses in every state, their checks and their cases."""

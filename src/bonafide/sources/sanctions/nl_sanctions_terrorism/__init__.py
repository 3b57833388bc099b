"""National terrorism sanctions list of the Netherlands: Government of the Netherlands."""

"""What finds names, each behind the same functions so that one loop measures them all: the product's index and the yardsticks."""

"""What two businesses may share: the keys of people, addresses, phone numbers and websites."""

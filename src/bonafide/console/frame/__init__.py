"""What every page of the console shares: requests, forms, responses, navigation, labels, charts."""

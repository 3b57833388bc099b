"""A site read: the few pages that matter, as far as robots.txt and the limits allow. What they state is not looked at here."""

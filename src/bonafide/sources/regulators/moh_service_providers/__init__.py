"""Health service providers of Ontario: Ministry of Health."""

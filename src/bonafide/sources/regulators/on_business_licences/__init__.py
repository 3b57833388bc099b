"""Select licence and registration data: Ontario Ministry of Public and Business Service Delivery and Procurement."""

"""Convert the ownership of a business to and from the formats that others use. Pure: no module here reads or stores anything."""

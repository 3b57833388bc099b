"""Alberta's corporate registry: notices of the Registrar's Periodical and the listing of non-profits."""

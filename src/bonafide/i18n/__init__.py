"""Messages in English and French: templates with named parameters, and the gettext catalogue that translates them."""

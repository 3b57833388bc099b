"""Tables that `source.yml` describes: rows become entries without code of their own."""

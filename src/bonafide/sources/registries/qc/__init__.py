"""Quebec's enterprise register: its data may be downloaded by a person only; it can be imported."""

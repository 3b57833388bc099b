"""What the product costs and how well it finds, measured on one machine in one run: `bonafide bench`.

Figures are for people to compare. Nothing is asserted here, and no test asserts a time.
"""

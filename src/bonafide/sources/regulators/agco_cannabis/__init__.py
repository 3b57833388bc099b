"""Cannabis stores of Ontario: Alcohol and Gaming Commission of Ontario."""

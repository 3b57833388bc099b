"""What the console draws: the map of Canada and charts, as numbers and paths for SVG. Colours and words are the pages' own."""

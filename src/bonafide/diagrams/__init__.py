"""Draw diagrams as SVG: positions are computed here, without a browser and without native programs."""

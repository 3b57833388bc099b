"""List of charities and other qualified donees: Canada Revenue Agency, Charities Directorate."""

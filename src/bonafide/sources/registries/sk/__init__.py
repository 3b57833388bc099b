"""Saskatchewan's corporate registry: notices of the Saskatchewan Gazette until March 2023."""

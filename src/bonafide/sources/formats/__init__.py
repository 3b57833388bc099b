"""Read delimited text, spreadsheets, XML, JSON, HTML, PDF and ZIP archives row by row."""

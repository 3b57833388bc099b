"""Write delimited text, workbooks, XML, PDF and ZIP archives."""

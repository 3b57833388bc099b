"""Write each publisher's files, one module per file format. Writers generate no properties of a business themselves."""

"""Municipal business licences and permits: City of Toronto, Municipal Licensing and Standards."""

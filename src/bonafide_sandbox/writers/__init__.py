"""One module for each publisher's file: its header, its encoding, its words. None of them makes anything up that a business has."""

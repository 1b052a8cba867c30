"""A plane with two axes that zooms and pans both ways, for any picture over two coordinates."""

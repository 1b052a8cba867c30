"""A plane with two axes that zooms and pans both ways: points, roofs, bars and blocks at two coordinates."""

"""The timeline: what lies where on it, its picture, and the widget."""

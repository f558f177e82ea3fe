"""Owns HOW it is printed: templates, prose, figures, packing, and the printer.

Does not gather data.
"""

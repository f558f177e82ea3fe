"""Owns armies: what a legal one is, how a list is read, priced and judged.

Does not print anything; `documents` and the command line do.
"""

from generator.armies.army import Army, Node, attribute
from generator.armies.books import Book, Profile, book_ids, find_books, load_book
from generator.armies.composing import load_composition
from generator.armies.composition import Composition, references
from generator.armies.findings import Finding, Price, PriceLine, Rule, Verdict
from generator.armies.pricing import price
from generator.armies.roll_call import Shelf, army_from, read_army
from generator.armies.verdict import check

__all__ = [
    "Army",
    "Book",
    "Composition",
    "Finding",
    "Node",
    "Price",
    "PriceLine",
    "Profile",
    "Rule",
    "Shelf",
    "Verdict",
    "army_from",
    "attribute",
    "book_ids",
    "check",
    "find_books",
    "load_book",
    "load_composition",
    "price",
    "read_army",
    "references",
]

"""Army lists: load them, price them and check them against the rules of their system."""

from muster.armies.army import Army, Node
from muster.armies.army_file import SystemSource, army_from_document, load_army
from muster.armies.books import Book, Profile, book_ids, find_books, load_book
from muster.armies.composition import Composition, load_composition
from muster.armies.findings import Finding, Price, PriceLine, RuleReference, Verdict
from muster.armies.pricing import price
from muster.armies.verdict import check
from muster.armies.written_composition import iter_cell_references

__all__ = [
    "Army",
    "Book",
    "Composition",
    "Finding",
    "Node",
    "Price",
    "PriceLine",
    "Profile",
    "RuleReference",
    "SystemSource",
    "Verdict",
    "army_from_document",
    "book_ids",
    "check",
    "find_books",
    "iter_cell_references",
    "load_army",
    "load_book",
    "load_composition",
    "price",
]

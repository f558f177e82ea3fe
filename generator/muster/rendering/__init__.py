"""Turn the data of documents into HTML and PDF."""

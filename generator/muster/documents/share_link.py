"""Links that hold a whole army list, as the list builder makes and opens them."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64encode

from muster.armies import Army

LONGEST_CODE = 1900
"""The longest link, in characters, that is printed as a QR code: one of about 150 modules, 45 mm.

A code of more would take more of the page than the list.
"""


def list_link(builder: str, army: Army) -> str:
    """Return the address at which the list builder opens an army.

    Args:
        builder: The address of the list builder, with or without a slash at its end.
        army: The army, whose file is the list.
    """
    content = [army.system.identity.edition, army.document.data]
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(text.encode()) + packer.flush()
    letters = urlsafe_b64encode(packed).decode().rstrip("=")
    slash = "" if builder.endswith(("/", ".html")) else "/"
    return f"{builder}{slash}#list={letters}"

"""Small pictures to test with: PNG and JPEG as Pillow writes them, and an SVG."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import Any

from PIL import Image, ImageCms

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20"><path d="M0 0h9v9z"/></svg>'


@cache
def profile() -> bytes:
    """Return an ICC profile for RGB, the same each time: its date is that of the epoch."""
    data = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    data[24:36] = bytes(12)
    return bytes(data)


def raster(
    form: str = "PNG", size: tuple[int, int] = (30, 20), mode: str = "RGB", **save: Any
) -> bytes:
    """Return a picture with a slope of colours, so that it does not shrink to nothing."""
    slope = Image.linear_gradient("L").resize(size)
    out = BytesIO()
    slope.convert(mode).save(out, form, **save)
    return out.getvalue()

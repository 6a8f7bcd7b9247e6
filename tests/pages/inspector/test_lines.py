"""What the lines of mentions look like, to the pixel."""

import base64

import pytest

# The share of the columns of a picture that have a pixel unlike the first one.
COLOURED = """async (data) => {
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    const { data: rgba, width, height } = canvas.getImageData(0, 0, picture.width, picture.height);
    const background = [...rgba.slice(0, 3)];
    const unlike = (pixel) => background.some((value, n) => Math.abs(rgba[4 * pixel + n] - value) > 40);
    const rows = [...Array(height).keys()];
    return [...Array(width).keys()].filter((x) => rows.some((y) => unlike(y * width + x))).length / width;
}"""


def coloured(p, selector):
    """How much of an element's width has a colour other than that of the corner above it."""
    box = p.page.locator(selector).bounding_box()
    clip = {"x": box["x"], "y": box["y"] - 2, "width": box["width"], "height": box["height"] + 2}
    share = p.page.evaluate(COLOURED, base64.b64encode(p.page.screenshot(clip=clip)).decode())
    p.errors.clear()  # Firefox says that it refused the style that Playwright wants for pictures
    return share


@pytest.mark.parametrize("forced_colors", ["none", "active"])
def test_lines_are_solid_dashed_and_dotted(open_page, one, forced_colors):
    p = open_page(one, "#doc=lighthouse", forced_colors=forced_colors)
    p.page.wait_for_selector(".legend .sample")
    solid, dashed, dotted = (coloured(p, f".legend li:nth-child({n}) .sample") for n in (1, 2, 3))
    assert solid > 0.97
    assert 0.6 < dashed < 0.85  # 5 of 7 pixels
    assert 0.3 < dotted < 0.55  # 2 of 5

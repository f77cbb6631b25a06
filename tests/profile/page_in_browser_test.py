"""The page of `visor report` in a browser: what its document says of a transposed matrix, and what a screenshot shows.
page_in_browser_test.py VISOR EXAMPLES FOLDER; exit code 77 where chromium is not installed."""
import html.parser
import pathlib
import shutil
import struct
import subprocess
import sys
import zlib

HEAT, LANE = (0xC2, 0x41, 0x0C), (0x1D, 0x6F, 0xB8)     # colours of cells and lanes
WIDTH, HEIGHT = 1200, 1400


def run(words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\nended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


class Sites(html.parser.HTMLParser):
    """Attributes of the rows of class `site`, and the text of the document."""

    def __init__(self):
        super().__init__()
        self.rows, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        if tag == "tr" and known.get("class") == "site":
            self.rows.append(known)

    def handle_data(self, data):
        self.text += data


class Browser:
    def __init__(self, path, folder):
        self.words = [path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={folder}/browser",
                      "--host-resolver-rules=MAP * ~NOTFOUND", f"--window-size={WIDTH},{HEIGHT}"]

    def document(self, page):
        sites = Sites()
        sites.feed(run([*self.words, "--dump-dom", page.as_uri()]))
        return sites

    def screenshot(self, page):
        picture = page.with_suffix(".png")
        run([*self.words, f"--screenshot={picture}", page.as_uri()])
        return pixels_of(picture.read_bytes())


def unfiltered(kind, line, before, size):
    """A row of a PNG, by the filter that its first byte names."""
    for at, value in enumerate(line):
        left = line[at - size] if at >= size else 0
        up, corner = before[at], before[at - size] if at >= size else 0
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        elif kind == 4:
            guess = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))[2]
        else:
            break
        line[at] = (value + guess) & 0xFF
    return line


def pixels_of(png):
    """How often each colour is there, of a PNG of 8 bits a channel."""
    place, data = 8, b""
    while place < len(png):
        size, kind = struct.unpack(">I4s", png[place:place + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", png[place + 8:place + 18])
            assert depth == 8 and colour in (2, 6), (depth, colour)
        if kind == b"IDAT":
            data += png[place + 8:place + 8 + size]
        place += size + 12
    channels = 3 if colour == 2 else 4
    raw, stride = zlib.decompress(data), width * channels
    before, colours = bytearray(stride), {}
    for y in range(height):
        line = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        before = unfiltered(raw[y * (stride + 1)], line, before, channels)
        for x in range(0, stride, channels):
            colour = tuple(before[x:x + 3])
            colours[colour] = colours.get(colour, 0) + 1
    assert (width, height) == (WIDTH, HEIGHT)
    return colours


def lines_of(rows, array, kind):
    found = [row for row in rows if f"`{array}`" in row["data-array"] and row["data-kind"] == kind]
    assert len(found) == 1, rows
    return float(found[0]["data-lines-per-message"])


def main():
    visor, examples, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
    path = shutil.which("chromium")
    if path is None:
        print("page_in_browser: no chromium here: not tried")
        return 77
    folder.mkdir(parents=True, exist_ok=True)
    browser, documents = Browser(path, folder), {}
    for name in ("transpose_direct", "transpose"):
        page = folder / f"{name}.html"
        run([visor, "report", "-o", page, examples / name / f"{name}.cl", "-g", "256,256", "-l", "16,16", "-a",
             "zeros:f32:65536", "iota:f32:65536", "256", "256"])
        text = page.read_text(encoding="utf-8")
        assert "http" not in text and "<script" not in text, "the page needs something else"
        documents[name] = browser.document(page)
        assert "cache lines of 64 bytes" in documents[name].text
        colours = browser.screenshot(page)
        assert colours.get(HEAT, 0) > 500, f"{name}: the map has {colours.get(HEAT, 0)} pixels"
        assert colours.get(LANE, 0) > 100, f"{name}: the lanes have {colours.get(LANE, 0)} pixels"
        assert colours.get((255, 255, 255), 0) > WIDTH * HEIGHT / 4, f"{name}: there is no page behind the pictures"
    direct, tiled = (lines_of(documents[name].rows, "out", "write") for name in ("transpose_direct", "transpose"))
    assert direct >= 8 * tiled, (direct, tiled)
    assert "scattered" in documents["transpose_direct"].text.split("at least")[-1]
    print(f"lines a message writes: {direct} directly, {tiled} by tiles; both pages were looked at")
    return 0


if __name__ == "__main__":
    sys.exit(main())

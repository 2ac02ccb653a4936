"""Parses a page as a browser does and says what is wrong with it: usage: check_page.py PAGE [TEXT…].

A page may have only the elements and attributes that our pages need, all closed, and nothing that runs or loads. It must have what
people need who use a screen reader, a keyboard or have weak eyes. Each TEXT must be there as text.
"""
import html.parser
import re
import sys

VOID = {"meta", "br", "path"}
ALLOWED = {
    "html": {"lang"}, "head": set(), "meta": {"charset", "name", "content", "http-equiv"}, "title": set(), "style": set(),
    "body": set(), "a": {"class", "href"}, "header": set(), "main": {"id"}, "footer": set(), "span": {"class"},
    "h1": set(), "h2": set(), "h3": set(), "p": {"class"}, "bdi": {"dir"}, "br": set(), "dl": set(), "div": {"class", "tabindex", "role", "aria-label"},
    "dt": set(), "dd": set(), "table": set(), "thead": set(), "tbody": set(), "tr": set(), "th": {"scope", "class"},
    "td": {"class"}, "figure": set(), "figcaption": set(), "details": set(), "summary": set(), "strong": {"class"},
    "svg": {"viewbox", "role", "aria-label"}, "path": {"class", "d", "style", "stroke-width", "stroke-opacity", "fill-opacity"},
    "rect": {"class", "x", "y", "width", "height"}, "text": {"x", "y", "dx", "text-anchor"},
}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.text, self.headings, self.ids, self.links = [], [], [], [], set(), []

    def handle_starttag(self, tag, attributes):
        if tag not in ALLOWED:
            return self.faults.append(f"element {tag}")
        names = [name for name, _ in attributes]
        values = dict(attributes)
        self.faults += [f"attribute {name} of {tag}" for name in names if name not in ALLOWED[tag]]
        self.faults += [f"attribute {name} twice" for name in set(names) if names.count(name) > 1]
        if tag == "svg" and (values.get("role") != "img" or not values.get("aria-label")):
            self.faults.append("a drawing without words")
        if tag == "th" and "scope" not in values:
            self.faults.append("a table's head without scope")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if "id" in values:
            self.ids.add(values["id"])
        if "href" in values:
            self.links.append(values["href"])
        if tag == "path" and not re.fullmatch(r"[MhvHVz0-9. -]*", values.get("d", "")):
            self.faults.append(f"a path {values['d'][:80]}")
        if tag not in VOID:
            self.open.append(tag)

    handle_startendtag = handle_starttag

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes something else")

    def handle_comment(self, text):
        self.faults.append(f"comment {text}")

    def handle_data(self, text):
        if "style" not in self.open:
            self.text.append(text)


def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[place:place + 2], 16) / 255 for place in (0, 2, 4)]
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast_faults(css):
    """WCAG 2.2, 1.4.3: text needs 4.5:1 against what is behind it, light, dark and on paper."""
    faults = []
    for number, block in enumerate(re.findall(r":root \{([^}]*)\}", css)):
        colours = dict(re.findall(r"--([a-z]+): (#[0-9a-f]+)", block))
        for front in ("ink", "soft", "good", "calm", "bad", "warn"):
            for back in ("paper", "card"):
                bright, dark = sorted((luminance(colours[front]), luminance(colours[back])), reverse=True)
                if (bright + 0.05) / (dark + 0.05) < 4.5:
                    faults.append(f"{front} on {back} of block {number}")
    return faults


def main(path, *texts):
    with open(path, encoding="utf-8") as file:
        source = file.read()
    page = Page()
    page.feed(source)
    page.close()
    faults = page.faults + [f"{tag} stays open" for tag in page.open]
    if page.headings.count(1) != 1 or any(b > a + 1 for a, b in zip(page.headings, page.headings[1:])):
        faults.append(f"headings {page.headings}")
    for link in page.links:
        if not (link[1:] in page.ids if link.startswith("#") else re.fullmatch(r"\./[A-Za-z0-9._~%-]+", link)):
            faults.append(f"link {link}")
    css = source[source.index("<style>"):source.index("</style>")]
    faults += contrast_faults(css) + (["the style loads something"] if re.search(r"url|@import|expression", css) else [])
    words = "".join(page.text)
    faults += [f"missing: {text}" for text in texts if text not in words]
    print("\n".join(faults))


main(*sys.argv[1:])

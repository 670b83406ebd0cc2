"""XML that is read and written without loss: what nobody changed keeps its bytes, comments and white space included."""

import re
from xml.parsers import expat
from xml.sax.saxutils import escape

INDENT = "  "


class XmlError(ValueError):
    """Text that is not XML, with the line where that shows."""

    def __init__(self, message, line):
        super().__init__(f"line {line}: {message}")
        self.line = line


class Element:
    """An element; its children are elements and, as text, everything between them."""

    def __init__(self, tag, attributes=None, line=0, opening=None):
        self.tag = tag
        self.attributes = dict(attributes or {})
        self.line = line
        self.children = []
        self._opening, self._closing = opening, f"</{tag}>"
        self._read = dict(self.attributes)
        # Whether <tag/> stands for it, as long as it has no children.
        self._empty = opening is None or opening.endswith("/>")

    def __repr__(self):
        return f"<{self.tag} {self.attributes}>"

    def get(self, name, default=None):
        """An attribute's text."""
        return self.attributes.get(name, default)

    def was(self, name):
        """An attribute's text when the element was read or made."""
        return self._read.get(name)

    def elements(self, tag=None):
        """The child elements, or those of one tag."""
        return [e for e in self.children if isinstance(e, Element) and tag in (None, e.tag)]

    def walk(self):
        """This element and all below it, in the order of the file."""
        yield self
        for child in self.elements():
            yield from child.walk()

    def set(self, name, text):
        """Sets an attribute; None removes it."""
        if text is None:
            self.attributes.pop(name, None)
        else:
            self.attributes[name] = text

    def add(self, element, depth, after=None):
        """Adds a child on a line of its own after another one, by default the last; `depth` is this element's own."""
        before = after or (self.elements() or [None])[-1]
        place = self.children.index(before) + 1 if before is not None else 0
        self.children[place:place] = ["\n" + INDENT * (depth + 1), element]
        if len(self.children) == 2:
            self.children.append("\n" + INDENT * depth)
        return element

    def remove(self, element):
        """Removes a child with the line break and indentation before it."""
        place = self.children.index(element)
        if place > 0 and isinstance(self.children[place - 1], str):
            kept = re.sub(r"\n?[ \t]*\Z", "", self.children[place - 1])
            self.children[place - 1 : place + 1] = [kept] if kept else []
        else:
            del self.children[place]
        if not self.elements() and not "".join(self.children).strip():
            self.children, self._empty = [], True

    def text(self):
        """The element as XML."""
        inside = "".join(c if isinstance(c, str) else c.text() for c in self.children)
        if self._empty and not inside:
            return self._tag("/>")
        return self._tag(">") + inside + self._closing

    def _tag(self, ending):
        if self._opening and self.attributes == self._read and self._opening.endswith("/>") == (ending == "/>"):
            return self._opening
        quoted = "".join(f' {name}="{quote(text)}"' for name, text in self.attributes.items())
        return f"<{self.tag}{quoted}{ending}"


def quote(text):
    """Text between the quotes of an attribute."""
    return escape(text, {'"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"})


class Document:
    """A root element and what stands before and after it, which hold \\n; `line_end` is what ends lines in the file."""

    def __init__(self, root, before='<?xml version="1.0" encoding="UTF-8"?>\n', after="\n", line_end="\n"):
        self.root, self.before, self.after, self.line_end = root, before, after, line_end

    def text(self):
        """The file."""
        return (self.before + self.root.text() + self.after).replace("\n", self.line_end)


def parse(text):
    """The document in a text."""
    line_ends = set(re.findall("\r\n|\r|\n", text))
    # A file that mixes them keeps each of them where it is.
    line_end = line_ends.pop() if len(line_ends) == 1 else "\n"
    return _Reader(text.replace(line_end, "\n"), line_end).document()


class _Reader:
    def __init__(self, text, line_end):
        self.data, self.line_end = text.encode("utf-8"), line_end
        self.stack, self.root, self.place, self.before = [], None, 0, ""

    def document(self):
        """The document."""
        parser = self.parser = expat.ParserCreate("utf-8")
        parser.ordered_attributes = True
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.StartDoctypeDeclHandler = self._doctype
        try:
            parser.Parse(self.data, True)
        except expat.ExpatError as error:
            raise XmlError(expat.ErrorString(error.code), error.lineno) from None
        return Document(self.root, self.before, self.data[self.place :].decode("utf-8"), self.line_end)

    def _doctype(self, *_):
        raise XmlError("document types are not read", self.parser.CurrentLineNumber)

    def _between(self, until):
        text = self.data[self.place : until].decode("utf-8")
        if self.stack:
            if text:
                self.stack[-1].children.append(text)
        else:
            self.before = text

    def _start(self, tag, pairs):
        begin = self.parser.CurrentByteIndex
        self._between(begin)
        # The parser accepted the tag, so its quotes are closed.
        opening = re.compile(rb"""<(?:[^>"']|"[^"]*"|'[^']*')*>""").match(self.data, begin).group().decode("utf-8")
        self.place = begin + len(opening.encode("utf-8"))
        attributes = dict(zip(pairs[::2], pairs[1::2]))
        element = Element(tag, attributes, self.parser.CurrentLineNumber, opening)
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            self.root = element
        self.stack.append(element)

    def _end(self, _):
        element = self.stack[-1]
        if not element._opening.endswith("/>"):
            begin = self.parser.CurrentByteIndex
            self._between(begin)
            self.place = self.data.index(b">", begin) + 1
            element._closing = self.data[begin : self.place].decode("utf-8")
        self.stack.pop()

//! An authored file as its author wrote it: elements and attributes that nobody changes keep their bytes, and so do the
//! comments and white space around them.

mod reader;

use reader::Parser;
use sinew_base::error::{Error, Kind, Result};
use sinew_scene::schema::Tree;

/// What a level of new elements is indented by.
const INDENT: &str = "  ";

/// An element of an [`Authored`] file. It stays valid until the element is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub u32);

/// A file, or what one is to become.
#[derive(Clone, Debug)]
pub struct Authored {
    /// By [`Id`]; those that were removed leave a gap, so that no other one gets their id.
    elements: Vec<Option<Node>>,
    root: Id,
    /// What stands before and after the root element.
    before: String,
    after: String,
    /// What ends the lines that are added.
    line_end: &'static str,
}

#[derive(Clone, Debug)]
struct Node {
    name: String,
    parent: Option<Id>,
    attributes: Vec<Written>,
    /// What stands between the last attribute and the end of the tag.
    tail: String,
    content: Vec<Piece>,
    /// The end tag, or none for `<name/>`.
    closing: Option<String>,
    line: u64,
}

/// An attribute with its text in the file.
#[derive(Clone, Debug)]
struct Written {
    /// The white space before it.
    space: String,
    name: String,
    value: String,
    /// `name="value"` as read, until it is changed.
    raw: Option<String>,
}

/// What an element contains.
#[derive(Clone, Debug)]
enum Piece {
    /// White space and comments.
    Between(String),
    Element(Id),
}

impl Authored {
    /// A file with an empty root element.
    pub fn new(name: &str) -> Self {
        Authored {
            elements: vec![Some(Node::new(name, None))],
            root: Id(0),
            before: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".into(),
            after: "\n".into(),
            line_end: "\n",
        }
    }

    /// Reads a text.
    pub fn parse(text: &str) -> Result<Self> {
        Parser::new(text).whole()
    }

    /// The root element.
    pub fn root(&self) -> Id {
        self.root
    }

    /// Whether an element is there.
    pub fn holds(&self, id: Id) -> bool {
        self.elements.get(id.0 as usize).is_some_and(Option::is_some)
    }

    fn node(&self, id: Id) -> Result<&Node> {
        self.elements.get(id.0 as usize).and_then(Option::as_ref).ok_or_else(|| gone(id))
    }

    fn node_mut(&mut self, id: Id) -> Result<&mut Node> {
        self.elements.get_mut(id.0 as usize).and_then(Option::as_mut).ok_or_else(|| gone(id))
    }

    /// An element's name.
    pub fn name(&self, id: Id) -> Result<&str> {
        self.node(id).map(|node| node.name.as_str())
    }

    /// Counts lines anew, as in the text of now.
    pub fn count_lines(&mut self) {
        let Ok(now) = Authored::parse(&self.text()) else { return };
        for (own, other) in self.walk(self.root).into_iter().zip(now.walk(now.root)) {
            if let (Ok(node), Ok(line)) = (self.node_mut(own), now.line(other)) {
                node.line = line;
            }
        }
    }

    /// An element's line in the text that was read, or when lines were last counted; 0 for one that was added since.
    pub fn line(&self, id: Id) -> Result<u64> {
        self.node(id).map(|node| node.line)
    }

    /// The element that contains another; none for the root.
    pub fn parent(&self, id: Id) -> Result<Option<Id>> {
        self.node(id).map(|node| node.parent)
    }

    /// The elements in an element, in their order; only those of one name, if it is given.
    pub fn children(&self, id: Id, name: Option<&str>) -> Result<Vec<Id>> {
        let children = self.node(id)?.elements();
        Ok(children
            .filter(|child| name.is_none_or(|name| self.name(*child).is_ok_and(|own| own == name)))
            .collect())
    }

    /// An element and all that it contains, in the order of the file.
    pub fn walk(&self, id: Id) -> Vec<Id> {
        let (mut found, mut open) = (Vec::new(), vec![id]);
        while let Some(id) = open.pop() {
            let Ok(node) = self.node(id) else { continue };
            found.push(id);
            let children: Vec<Id> = node.elements().collect();
            open.extend(children.into_iter().rev());
        }
        found
    }

    /// The text of an attribute; none if it is left out.
    pub fn get(&self, id: Id, attribute: &str) -> Result<Option<&str>> {
        let all = &self.node(id)?.attributes;
        Ok(all.iter().find(|written| written.name == attribute).map(|written| written.value.as_str()))
    }

    /// The names and texts of an element's attributes, in their order.
    pub fn attributes(&self, id: Id) -> Result<Vec<(&str, &str)>> {
        Ok(self.node(id)?.attributes.iter().map(|written| (&*written.name, &*written.value)).collect())
    }

    /// Sets the text of an attribute, or leaves it out. A new one comes last.
    pub fn set(&mut self, id: Id, attribute: &str, value: Option<&str>) -> Result<()> {
        let all = &mut self.node_mut(id)?.attributes;
        let place = all.iter().position(|written| written.name == attribute);
        match (place, value) {
            (Some(place), None) => drop(all.remove(place)),
            (Some(place), Some(value)) if all[place].value != value => {
                all[place].value = value.into();
                all[place].raw = None;
            }
            (None, Some(value)) => all.push(Written::new(attribute, value)),
            _ => {}
        }
        Ok(())
    }

    /// Adds an element to another one, on a line of its own: behind the child `after` and comments on its line, or as
    /// the first.
    pub fn add(&mut self, parent: Id, name: &str, after: Option<Id>) -> Result<Id> {
        let depth = self.depth(parent)?;
        let indent = |levels: usize| format!("{}{}", self.line_end, INDENT.repeat(levels));
        let (before, closing) = (indent(depth + 1), indent(depth));
        let id = Id(u32::try_from(self.elements.len()).map_err(|_| too_many())?);
        let node = self.node_mut(parent)?;
        let place = match after {
            Some(after) => {
                let place = node.place(after).ok_or_else(|| no_child(after, parent))? + 1;
                place + usize::from(node.part_comments(place))
            }
            None => 0,
        };
        let was_empty = node.content.is_empty();
        node.content.splice(place..place, [Piece::Between(before), Piece::Element(id)]);
        if was_empty {
            node.content.push(Piece::Between(closing));
        }
        if node.closing.is_none() {
            node.closing = Some(format!("</{}>", node.name));
            node.tail.clear();
        }
        self.elements.push(Some(Node::new(name, Some(parent))));
        Ok(id)
    }

    /// Removes an element, all that it contains, and its line.
    pub fn remove(&mut self, id: Id) -> Result<()> {
        let Some(parent) = self.parent(id)? else {
            return Err(Error::new(Kind::InvalidArgument, "the root element cannot be removed"));
        };
        for inner in self.walk(id) {
            self.elements[inner.0 as usize] = None;
        }
        let node = self.node_mut(parent)?;
        let Some(place) = node.place(id) else { return Err(gone(id)) };
        node.content.remove(place);
        if let Some(Piece::Between(text)) = place.checked_sub(1).and_then(|k| node.content.get_mut(k)) {
            let kept = text.trim_end_matches([' ', '\t']);
            let kept = kept.strip_suffix('\n').unwrap_or(kept);
            text.truncate(kept.strip_suffix('\r').unwrap_or(kept).len());
        }
        let is_blank = |piece: &Piece| matches!(piece, Piece::Between(text) if text.trim().is_empty());
        if node.content.iter().all(is_blank) {
            node.content.clear();
            node.closing = None;
        }
        Ok(())
    }

    /// How many elements contain an element.
    fn depth(&self, id: Id) -> Result<usize> {
        let (mut depth, mut at) = (0, id);
        while let Some(parent) = self.parent(at)? {
            (depth, at) = (depth + 1, parent);
        }
        Ok(depth)
    }

    /// The tree, with the lines of the file.
    pub fn tree(&self) -> Tree {
        self.tree_at(self.root, &|_, node| node.line)
    }

    /// The tree of one element.
    pub fn tree_of(&self, id: Id) -> Tree {
        self.tree_at(id, &|_, node| node.line)
    }

    /// The tree with the number of each element, from 1, in place of its line: an error then leads back to it, see
    /// [`Authored::of_number`].
    pub fn numbered(&self) -> Tree {
        self.tree_at(self.root, &|id, _| u64::from(id.0) + 1)
    }

    /// The element of a number in [`Authored::numbered`].
    pub fn of_number(&self, number: u64) -> Option<Id> {
        let id = Id(u32::try_from(number.checked_sub(1)?).ok()?);
        self.holds(id).then_some(id)
    }

    fn tree_at(&self, id: Id, line: &impl Fn(Id, &Node) -> u64) -> Tree {
        let Ok(node) = self.node(id) else { return Tree::default() };
        Tree {
            name: node.name.clone(),
            attributes: node.attributes.iter().map(|a| (a.name.clone(), a.value.clone())).collect(),
            children: node.elements().map(|child| self.tree_at(child, line)).collect(),
            line: line(id, node),
        }
    }

    /// The file.
    pub fn text(&self) -> String {
        let mut text = self.before.clone();
        self.write(self.root, &mut text);
        text + &self.after
    }

    fn write(&self, id: Id, text: &mut String) {
        let Ok(node) = self.node(id) else { return };
        *text += "<";
        *text += &node.name;
        for Written { space, name, value, raw } in &node.attributes {
            *text += space;
            match raw {
                Some(raw) => *text += raw,
                None => *text += &format!("{name}=\"{}\"", escaped(value)),
            }
        }
        *text += &node.tail;
        let Some(closing) = &node.closing else {
            *text += "/>";
            return;
        };
        *text += ">";
        for piece in &node.content {
            match piece {
                Piece::Between(between) => *text += between,
                Piece::Element(id) => self.write(*id, text),
            }
        }
        *text += closing;
    }
}

/// The text of an attribute between its quotes.
pub fn escaped(value: &str) -> String {
    // Line ends and tabs would come back as spaces; escape them as numbers.
    let value = quick_xml::escape::escape(value);
    value.replace('\n', "&#10;").replace('\r', "&#13;").replace('\t', "&#9;")
}

fn gone(id: Id) -> Error {
    Error::new(Kind::NotFound, format!("there is no element {}, or it was removed", id.0))
}

fn no_child(id: Id, parent: Id) -> Error {
    Error::new(Kind::NotFound, format!("element {} is no child of element {}", id.0, parent.0))
}

fn too_many() -> Error {
    Error::new(Kind::TooLarge, "too many elements")
}

impl Node {
    fn new(name: &str, parent: Option<Id>) -> Self {
        Node {
            name: name.into(),
            parent,
            attributes: Vec::new(),
            tail: String::new(),
            content: Vec::new(),
            closing: None,
            line: 0,
        }
    }

    fn elements(&self) -> impl Iterator<Item = Id> {
        self.content.iter().filter_map(|piece| match piece {
            Piece::Element(id) => Some(*id),
            Piece::Between(_) => None,
        })
    }

    /// The place of a child in the content.
    fn place(&self, child: Id) -> Option<usize> {
        self.content.iter().position(|piece| matches!(piece, Piece::Element(id) if *id == child))
    }

    /// Parts comments on the line on which a piece begins from what follows them; whether there are any.
    fn part_comments(&mut self, place: usize) -> bool {
        let Some(Piece::Between(text)) = self.content.get_mut(place) else { return false };
        let mut end = 0;
        loop {
            let blank = text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len();
            let Some(comment) = text[end + blank..].strip_prefix("<!--") else { break };
            let Some(length) = comment.find("-->") else { break };
            end += blank + "<!--".len() + length + "-->".len();
        }
        if end > 0 {
            let rest = text.split_off(end);
            self.content.insert(place + 1, Piece::Between(rest));
        }
        end > 0
    }

    /// Adds white space or comments at the end of the content.
    fn between(&mut self, text: &str) {
        match self.content.last_mut() {
            Some(Piece::Between(before)) => *before += text,
            _ => self.content.push(Piece::Between(text.into())),
        }
    }
}

impl Written {
    fn new(name: &str, value: &str) -> Self {
        Written { space: " ".into(), name: name.into(), value: value.into(), raw: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SAMPLE: &str = "<?xml version='1.0'?>\r\n<!-- A rope, hung\r\n     twice. -->\r\n<scene  version = \
            '1'\r\n  up=\"z\" >\r\n\
        \t<!-- first --><body name='a &amp; b' at=\"0 1\t2\" />\r\n\t<body name=\"c\"></body >\r\n\r\n</scene>\r\n<!-- \
        end -->";

    #[test]
    fn what_nobody_changes_keeps_its_bytes() {
        let file = Authored::parse(SAMPLE).unwrap();
        assert_eq!(file.text(), SAMPLE);
        let marked = format!("\u{feff}{SAMPLE}");
        assert_eq!(Authored::parse(&marked).unwrap().text(), marked);
        let bodies = file.children(file.root(), Some("body")).unwrap();
        assert_eq!(file.get(bodies[0], "name").unwrap(), Some("a & b"));
        assert_eq!((file.line(bodies[0]).unwrap(), file.line(bodies[1]).unwrap()), (6, 7));
        let old = Authored::parse(&SAMPLE.replace("\r\n", "\r")).unwrap();
        assert_eq!(old.line(bodies[1]).unwrap(), 7);
        assert_eq!(file.attributes(file.root()).unwrap(), [("version", "1"), ("up", "z")]);
    }

    #[test]
    fn an_edit_changes_its_attribute_alone() {
        let mut file = Authored::parse(SAMPLE).unwrap();
        let root = file.root();
        file.set(root, "up", Some("z")).unwrap();
        assert_eq!(file.text(), SAMPLE, "the value it had");
        file.set(root, "version", Some("2 < 3")).unwrap();
        file.set(root, "new", Some("a\nb")).unwrap();
        let edited = SAMPLE
            .replace("version = '1'", "version=\"2 &lt; 3\"")
            .replace("up=\"z\" >", "up=\"z\" new=\"a&#10;b\" >");
        assert_eq!(file.text(), edited);
        file.set(root, "version", None).unwrap();
        assert!(file.text().contains("<scene\r\n  up=\"z\""), "{}", file.text());
        assert_eq!(Authored::parse(&file.text()).unwrap().get(root, "new").unwrap(), Some("a\nb"));
    }

    #[test]
    fn elements_come_and_go_with_their_lines() {
        let mut file = Authored::parse(SAMPLE).unwrap();
        let root = file.root();
        let bodies = file.children(root, None).unwrap();
        let added = file.add(root, "point", Some(bodies[0])).unwrap();
        file.set(added, "name", Some("p")).unwrap();
        let inner = file.add(added, "key", None).unwrap();
        let text = file.text();
        assert!(text.contains("/>\r\n  <point name=\"p\">\r\n    <key/>\r\n  </point>\r\n\t<body"), "{text}");
        assert_eq!(file.walk(root), [root, bodies[0], added, inner, bodies[1]]);
        file.remove(added).unwrap();
        assert_eq!(file.text(), SAMPLE);
        assert!(!file.holds(inner) && file.name(added).is_err() && file.remove(added).is_err());
        assert!(file.remove(root).is_err());
        bodies.into_iter().for_each(|body| file.remove(body).unwrap());
        assert!(file.text().contains("<!-- first -->"), "comments stay: {}", file.text());
        let again = file.add(root, "body", None).unwrap();
        assert!(again != added, "no id is used twice");
        let mut file = Authored::parse("<a></a >").unwrap();
        file.add(file.root(), "b", None).unwrap();
        assert_eq!(file.text(), "<a>\n  <b/>\n</a >");
    }

    #[test]
    fn comments_stay_with_their_elements() {
        let text = "<a>\n  <b/> <!-- one\n line --> <!-- two -->\n  <!-- of c -->\n  <c/>\n</a>";
        let mut file = Authored::parse(text).unwrap();
        let b = file.children(file.root(), None).unwrap()[0];
        let new = file.add(file.root(), "new", Some(b)).unwrap();
        assert_eq!(file.text(), text.replace("two -->", "two -->\n  <new/>"));
        assert_eq!(file.line(new).unwrap(), 0);
        file.count_lines();
        let lines: Vec<u64> = file.walk(file.root()).into_iter().map(|id| file.line(id).unwrap()).collect();
        assert_eq!(lines, [1, 2, 4, 6]);
        file.remove(new).unwrap();
        assert_eq!(file.text(), text);
        assert!(
            file.add(b, "x", Some(file.root())).unwrap_err().message().contains("is no child of element")
        );
    }

    #[test]
    fn a_new_file_grows_in_our_style() {
        let mut file = Authored::new("scene");
        assert_eq!(file.text(), "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<scene/>\n");
        let first = file.add(file.root(), "body", None).unwrap();
        file.add(file.root(), "point", Some(first)).unwrap();
        file.add(first, "key", None).unwrap();
        let body = "<scene>\n  <body>\n    <key/>\n  </body>\n  <point/>\n</scene>\n";
        assert!(file.text().ends_with(body), "{}", file.text());
        file.remove(first).unwrap();
        assert!(file.text().ends_with("<scene>\n  <point/>\n</scene>\n"), "{}", file.text());
    }

    #[test]
    fn numbers_lead_back_to_elements() {
        let file = Authored::parse(SAMPLE).unwrap();
        let tree = file.numbered();
        let second = file.of_number(tree.children[1].line).unwrap();
        assert_eq!(file.get(second, "name").unwrap(), Some("c"));
        assert!(file.of_number(0).is_none() && file.of_number(99).is_none());
        assert_eq!(file.tree().children[1].line, 7);
    }

    proptest! {
        #[test]
        fn any_file_that_is_read_comes_back(text in "(<[ab]( x=\"[<&;a ]{0,3}\"| y = '\"')*/?>|</[ab]>|<!-- c -->| \
                |\n){0,12}") {
            if let Ok(file) = Authored::parse(&text) {
                prop_assert_eq!(file.text(), text);
            }
        }
    }
}

//! The metadata of a prim or a layer that composition needs.

use super::Entry;
use super::cursor::{Atom, Cursor};
use crate::usd::arcs::{Arcs, Edits, Target, TimeMap, unsupported, without_variants};
use sinew_base::error::Result;
use sinew_math::Real;

/// The arcs among the metadata of a prim of that path; none if there are none.
pub(super) fn arcs(text: &str, entries: &[Entry], path: &str) -> Result<Option<Box<Arcs>>> {
    let mut found = Box::<Arcs>::default();
    let mut any = false;
    for entry in entries {
        let mut cursor = Cursor { text: &text[..entry.value.end], at: entry.value.start };
        let name = entry.name;
        let known = match name {
            "references" => edit(&mut found.references, entry.word, targets(&mut cursor)?),
            "payload" => edit(&mut found.payloads, entry.word, targets(&mut cursor)?),
            "inherits" => edit(&mut found.inherits, entry.word, paths(&mut cursor, path)?),
            "specializes" => edit(&mut found.specializes, entry.word, paths(&mut cursor, path)?),
            "variantSets" => edit(&mut found.variant_sets, entry.word, texts(&mut cursor)?),
            "variants" => {
                found.selections.extend(selections(&mut cursor)?);
                true
            }
            "active" | "instanceable" => {
                let start = cursor;
                let stated = match cursor.word() {
                    "true" | "1" => true,
                    "false" | "0" => false,
                    _ => return Err(start.wrong("true or false")),
                };
                *(if name == "active" { &mut found.active } else { &mut found.instanceable }) = Some(stated);
                true
            }
            _ => match unsupported(name) {
                None => continue,
                what => {
                    found.unsupported = what;
                    true
                }
            },
        };
        any = true;
        if !known {
            found.unsupported = Some("a reordered list of arcs");
        }
    }
    Ok(any.then_some(found))
}

/// Makes one statement about a list.
pub(super) fn edit<T: Clone + PartialEq>(edits: &mut Edits<T>, word: &str, items: Vec<T>) -> bool {
    edits.by_word(word).map(|list| *list = items).is_some()
}

/// Items in brackets or one without; `None` is none.
fn items<T>(cursor: &mut Cursor, mut item: impl FnMut(&mut Cursor) -> Result<T>) -> Result<Vec<T>> {
    let mut all = Vec::new();
    cursor.skip_blanks();
    if cursor.rest() == "None" {
        return Ok(all);
    }
    if !cursor.accept('[') {
        return Ok(vec![item(cursor)?]);
    }
    while !cursor.accept(']') {
        all.push(item(cursor)?);
        cursor.accept(',');
    }
    Ok(all)
}

fn text(cursor: &mut Cursor) -> Result<String> {
    let start = *cursor;
    match cursor.atom()? {
        Atom::Text(text) => Ok(text),
        Atom::Word(_) => Err(start.wrong("a string, an @asset@ or a <path>")),
    }
}

fn texts(cursor: &mut Cursor) -> Result<Vec<String>> {
    items(cursor, text)
}

/// Paths of prims, which may be relative to one.
pub(super) fn paths(cursor: &mut Cursor, from: &str) -> Result<Vec<String>> {
    Ok(texts(cursor)?.iter().map(|path| anchored(path, from)).collect())
}

/// A path that may be relative to a prim's.
fn anchored(path: &str, from: &str) -> String {
    if path.starts_with('/') || path.is_empty() {
        return path.to_string();
    }
    let from = without_variants(from);
    let mut names: Vec<&str> = from.split('/').filter(|name| !name.is_empty()).collect();
    for name in path.split('/').filter(|name| !matches!(*name, "" | ".")) {
        match name {
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}

fn targets(cursor: &mut Cursor) -> Result<Vec<Target>> {
    items(cursor, |cursor| {
        cursor.skip_blanks();
        let mut target = Target::default();
        if cursor.peek() == Some(b'@') {
            target.asset = text(cursor)?;
        }
        cursor.skip_blanks();
        if cursor.peek() == Some(b'<') {
            target.prim = text(cursor)?;
        } else if target.asset.is_empty() {
            return Err(cursor.wrong("an @asset@ or a <path>"));
        }
        target.time = time_map(cursor)?;
        Ok(target)
    })
}

/// The layers below a layer.
pub(super) fn sublayers(whole: &str, entry: &Entry) -> Result<Vec<(String, TimeMap)>> {
    let mut cursor = Cursor { text: &whole[..entry.value.end], at: entry.value.start };
    items(&mut cursor, |cursor| Ok((text(cursor)?, time_map(cursor)?)))
}

/// `(offset = 2; scale = 3)`, if it is there; what else is said there does not matter.
fn time_map(cursor: &mut Cursor) -> Result<TimeMap> {
    let mut map = TimeMap::IDENTITY;
    if !cursor.accept('(') {
        return Ok(map);
    }
    while !cursor.accept(')') {
        if cursor.accept(';') || cursor.accept(',') {
            continue;
        }
        let name = cursor.word();
        // A dictionary's entry has no name that matters; its type comes first.
        cursor.expect('=')?;
        cursor.skip_blanks();
        let (start, value) = (*cursor, cursor.skip_value()?);
        let number =
            || cursor.text[value.clone()].trim().parse::<Real>().map_err(|_| start.wrong("a number"));
        match name {
            "offset" => map.offset = number()?,
            "scale" => map.scale = number()?,
            _ => {}
        }
    }
    Ok(map)
}

fn selections(cursor: &mut Cursor) -> Result<Vec<(String, String)>> {
    let mut all = Vec::new();
    cursor.expect('{')?;
    while !cursor.accept('}') {
        if cursor.accept(';') || cursor.accept(',') {
            continue;
        }
        let start = *cursor;
        if cursor.word() != "string" {
            return Err(start.wrong("string"));
        }
        cursor.skip_blanks();
        let set = match cursor.peek() {
            Some(b'"' | b'\'') => cursor.quoted()?,
            _ => cursor.word().to_string(),
        };
        cursor.expect('=')?;
        all.push((set, cursor.quoted()?));
    }
    Ok(all)
}

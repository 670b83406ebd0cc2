//! Names that are taken or reserved, and texts that no file can hold.

use super::{Document, Rigged, host, named};
use sinew_base::control::Control;
use sinew_base::error::Kind;
use sinew_scene::faults::Weight;

#[test]
fn reserved_names_are_refused() {
    let text = "<strand_scene><body name='A' mode='held'/><point name='p' at='0 0 0' on='A'/>\
                <point name='q' at='1 0 0' on='world'/></strand_scene>";
    let mut document = Document::parse(text).unwrap();
    let body = named(&document, "body", "A");
    for name in ["world", "free"] {
        assert_eq!(document.rename(body, name).unwrap_err().kind(), Kind::InvalidArgument);
    }
    assert_eq!(document.text(), text);
    let point = named(&document, "point", "p");
    document.rename(point, "world").unwrap();
}

#[test]
fn muscles_of_sheets_and_heads_keep_their_names() {
    let muscle = |name: &str, more: &str| {
        format!(
            "<muscle name='{name}' origin_joint='a' origin='0 0 0' insertion_joint='b' insertion='1 0 0' size='0.1' \
             {more}"
        )
    };
    let text = format!(
        "<muscle_set>{}{}<head name='h' origin_joint='a' origin='0 1 0'/></muscle></muscle_set>",
        muscle("sheet", "count='2'/>"),
        muscle("m", ">")
    );
    let mut document = Document::parse(&text).unwrap();
    let (sheet, m) = (named(&document, "muscle", "sheet"), named(&document, "muscle", "m"));
    let head = document.children(m, Some("head")).unwrap()[0];
    for (id, name) in [(m, "sheet"), (m, "sheet.1"), (m, "h"), (head, "m"), (head, "sheet.2")] {
        assert_eq!(document.rename(id, name).unwrap_err().kind(), Kind::InvalidArgument, "{name}");
    }
    assert_eq!(document.text(), text);
    for (id, name) in [(m, "sheet.3"), (head, "sheet.0"), (sheet, "other"), (m, "sheet")] {
        document.rename(id, name).unwrap();
    }
}

#[test]
fn what_xml_cannot_hold_is_refused() {
    let mut document = Document::parse("<strand_scene><body name='a'/></strand_scene>").unwrap();
    let body = named(&document, "body", "a");
    for stray in ["a\u{1}b", "\u{0}", "\u{fffe}", "\u{b}"] {
        assert_eq!(document.set_text(body, "name", Some(stray)).unwrap_err().kind(), Kind::InvalidArgument);
    }
    for kept in ["tab\tand\nline", "\u{10ffff}é\u{fffd}"] {
        document.set_text(body, "name", Some(kept)).unwrap();
        let again = Document::parse(&document.text()).unwrap();
        assert_eq!(again.text_of(named(&again, "body", kept), "name").unwrap(), Some(kept));
    }
}

/// Whether the numbers of a motion are degrees or lengths is known from its name.
#[test]
fn numbers_of_a_motion_wait_for_its_name() {
    let mut document = Document::parse(
        "<strand_scene><body name='b'/><joint name='j' child='b' at='0 0 0'/></strand_scene>",
    )
    .unwrap();
    let joint = named(&document, "joint", "j");
    let axis = document.add(joint, "axis", None).unwrap();
    assert_eq!(
        document.set_numbers(axis, "may", &[-1.0, 2.0], host()).unwrap_err().kind(),
        Kind::MissingInput
    );
    document.set_text(axis, "name", Some("move_y")).unwrap();
    document.set_numbers(axis, "may", &[-1.0, 2.0], host()).unwrap();
    assert_eq!(document.numbers(axis, "may", host()).unwrap(), Some(vec![-1.0, 2.0]));
}

/// A studio's own attributes and elements stay where they are, and keep nobody from mirroring.
#[test]
fn what_no_table_knows_is_passed_over() {
    let text = "<muscle_set>\n<muscle name='m_L' studio='7' origin_joint='arm_L' origin='1 0 0' \
            insertion_joint='arm_L' insertion='2 0 0' size='0.1'/>\n\
                <note of='x'/>\n</muscle_set>";
    let mut document = Document::parse(text).unwrap();
    let derived = document.mirror(Rigged::Axis(0), &Control::default()).unwrap();
    assert_eq!((derived.added, derived.warnings.len()), (1, 1));
    assert!(
        derived.warnings[0].contains("line 2") && derived.warnings[0].contains("and 1 more"),
        "{derived:?}"
    );
    assert!(document.text().contains("studio='7'") && document.text().contains("<note of='x'/>"));
    let other = named(&document, "muscle", "m_R");
    assert_eq!(document.text_of(other, "studio").unwrap(), None);
    let found = document.check(&Control::default()).unwrap();
    let order: Vec<(u64, Weight)> = found.iter().map(|(_, fault)| (fault.line, fault.weight)).collect();
    assert_eq!(order, [(2, Weight::Unknown), (3, Weight::Unknown)]);
}

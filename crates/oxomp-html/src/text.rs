//! Text of others as a page may show it.

/// `text` with at most `limit` characters, all visible: a control character is shown by its
/// picture, and a character that would change the direction or the order of the text by U+FFFD.
pub(crate) fn shown(text: &str, limit: usize) -> String {
    let mut result = String::new();
    for (position, character) in text.chars().enumerate() {
        if position + 1 >= limit && text.chars().nth(limit).is_some() {
            result.push('…');
            break;
        }
        result.push(visible(character));
    }
    result
}

fn visible(character: char) -> char {
    match character {
        '\0'..='\x1f' => char::from_u32(0x2400 + character as u32).unwrap_or('\u{fffd}'),
        '\x7f' => '\u{2421}',
        '\u{80}'..='\u{9f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => '\u{fffd}',
        _ => character,
    }
}

/// Text whose characters have no meaning in Markdown.
pub(crate) fn escaped(text: &str) -> String {
    let mut result = String::new();
    for character in text.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#') {
            result.push('\\');
        }
        result.push(character);
    }
    result
}

/// JSON without the characters that could end a `script` element or begin a comment in it.
pub(crate) fn inside_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::{inside_script, shown};

    #[test]
    fn what_steers_a_reader_is_made_visible() {
        assert_eq!(shown("a\0b\x1b[31m\x7f", 99), "a␀b␛[31m␡");
        assert_eq!(shown("safe\u{202e}cod.exe", 99), "safe\u{fffd}cod.exe");
        assert_eq!(shown("größer als <b>", 99), "größer als <b>");
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!(shown("12345", 5), "12345");
        assert_eq!(shown("123456", 5), "1234…");
        assert_eq!(shown("", 5), "");
    }

    #[test]
    fn nothing_ends_the_element() {
        let json = serde_json::json!({ "a": "</script><!--<script>&" }).to_string();
        let inside = inside_script(&json);
        assert!(!inside.contains(['<', '>', '&']), "{inside}");
        let read: serde_json::Value = serde_json::from_str(&inside).expect("it is JSON");
        assert_eq!(read["a"], "</script><!--<script>&");
    }
}

//! Reads server-sent events (WHATWG HTML, section 9.2.6) from bytes as they arrive.

/// One message of an event stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct SseMessage {
    /// `event:`; empty for the default kind.
    pub(super) event: String,
    /// `data:` lines, joined by newlines.
    pub(super) data: String,
    /// The last `id:` seen so far, in this message or before.
    pub(super) id: Option<String>,
}

/// A message longer than this is no event of ours.
const MAX_MESSAGE: usize = 16 * 1024 * 1024;

/// A message that does not end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event is longer than {MAX_MESSAGE} bytes")]
pub(super) struct TooLong;

/// Splits a byte stream into messages, however it is cut into chunks.
#[derive(Debug, Default)]
pub(super) struct SseParser {
    line: Vec<u8>,
    /// The byte before was CR: a LF now belongs to the same line end.
    after_cr: bool,
    past_first_line: bool,
    message: SseMessage,
    has_data: bool,
}

impl SseParser {
    /// Takes the next bytes and gives the messages they complete. A message cut off by the end of the stream is never
    /// given, as the standard asks.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<Vec<SseMessage>, TooLong> {
        let mut messages = Vec::new();
        for &byte in bytes {
            let lf_of_crlf = self.after_cr && byte == b'\n';
            self.after_cr = byte == b'\r';
            if lf_of_crlf {
                continue;
            }
            if byte == b'\r' || byte == b'\n' {
                let line = std::mem::take(&mut self.line);
                messages.extend(self.end_line(&line));
            } else {
                self.line.push(byte);
            }
            if self.line.len() + self.message.data.len() > MAX_MESSAGE {
                return Err(TooLong);
            }
        }
        Ok(messages)
    }

    fn end_line(&mut self, line: &[u8]) -> Option<SseMessage> {
        let text = String::from_utf8_lossy(line);
        let mut line = text.as_ref();
        if !std::mem::replace(&mut self.past_first_line, true) {
            line = line.strip_prefix('\u{feff}').unwrap_or(line);
        }
        if line.is_empty() {
            let id = self.message.id.clone();
            let message = std::mem::replace(&mut self.message, SseMessage { id, ..SseMessage::default() });
            return std::mem::take(&mut self.has_data).then_some(message);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.has_data {
                    self.message.data.push('\n');
                }
                self.has_data = true;
                self.message.data.push_str(value);
            }
            "event" => value.clone_into(&mut self.message.event),
            "id" if !value.contains('\0') => self.message.id = Some(value.to_owned()),
            // Comments (an empty field name), `retry`, and what the standard may add later.
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Vec<SseMessage> {
        SseParser::default().push(text.as_bytes()).unwrap()
    }

    fn message(event: &str, data: &str, id: Option<&str>) -> SseMessage {
        SseMessage { event: event.into(), data: data.into(), id: id.map(Into::into) }
    }

    #[test]
    fn messages_are_read_as_the_standard_says() {
        let stream = "\u{feff}: keep-alive\n\nid: 0\ndata: {\"a\":1}\n\nevent:end\ndata: x\ndata:  y\ndata\n\n";
        assert_eq!(read(stream), [message("", "{\"a\":1}", Some("0")), message("end", "x\n y\n", Some("0"))]);
        assert_eq!(read("event: only\n\ndata: a\r\rdata: b\r\n\r\n"), [message("", "a", None), message("", "b", None)]);
        assert_eq!(read("data: cut off\n"), []);
        assert_eq!(read("data:\n\n"), [message("", "", None)]);
        assert_eq!(read("id: 4\nretry: 9\nunknown: z\n\ndata: b\n\n"), [message("", "b", Some("4"))]);
    }

    #[test]
    fn an_endless_message_is_refused() {
        let mut parser = SseParser::default();
        let chunk = vec![b'x'; MAX_MESSAGE];
        assert_eq!(parser.push(&chunk), Ok(vec![]));
        assert_eq!(parser.push(b"y"), Err(TooLong));
    }

    proptest! {
        #[test]
        fn any_bytes_in_any_chunks_give_the_same_messages(
            bytes in prop::collection::vec(prop::sample::select(b"id:data event\r\n\0\xff\xc3\xa4x".to_vec()), 0..200),
            cut in 0usize..200,
        ) {
            let whole = SseParser::default().push(&bytes).unwrap();
            let (head, tail) = bytes.split_at(cut.min(bytes.len()));
            let mut parser = SseParser::default();
            let mut parts = parser.push(head).unwrap();
            parts.extend(parser.push(tail).unwrap());
            prop_assert_eq!(whole, parts);
        }
    }
}

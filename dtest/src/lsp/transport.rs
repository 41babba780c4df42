//! The transport: JSON-RPC 2.0 messages on standard input and output, with the headers of LSP's
//! base protocol.
//!
//! A malformed message with a known length is answered with an error (JSON-RPC 2.0, section 5.1),
//! and the next one is read. Without a usable length the start of the next message is unknown, so
//! the connection ends.

use std::io::{BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use lsp_server::{ErrorCode, Message};
use serde_json::{Value, json};

use super::error::TransportError;

/// Maximum size of a message in bytes, far above any program that an editor opens.
const MAX_LENGTH: u64 = 1 << 28;
/// Maximum length of a header line in bytes.
const MAX_HEADER: u64 = 1 << 12;
/// Maximum time to wait for the last messages to be written.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The channels to and from the client.
pub(super) struct Transport {
    /// Messages to the client.
    pub(super) sender: Sender<Message>,
    /// Messages from the client. The channel is disconnected when the input ends.
    pub(super) receiver: Receiver<Message>,
    failure: Arc<Mutex<Option<TransportError>>>,
    writer: Option<std::thread::JoinHandle<()>>,
}

impl Transport {
    /// Opens standard input and output.
    ///
    /// # Errors
    /// A thread cannot be started.
    pub(super) fn stdio() -> std::io::Result<Self> {
        let (sender, to_client) = bounded::<Message>(0);
        let (from_client, receiver) = bounded::<Message>(0);
        let failure = Arc::new(Mutex::new(None));
        let write = move || {
            for message in to_client {
                // If the client is gone, the end of the input tells.
                let _ = message.write(&mut std::io::stdout().lock());
            }
        };
        let writer = std::thread::Builder::new()
            .name("LSP writer".into())
            .spawn(write)?;
        let failed = Arc::clone(&failure);
        let read = move || {
            let mut input = std::io::stdin().lock();
            let result = read_all(
                &mut input,
                &mut |message| from_client.send(message).is_ok(),
                &mut |error| {
                    let _ = write_text(&mut std::io::stdout().lock(), &error.to_string());
                },
            );
            // Must be set before the channel is disconnected, because the receiver checks it then.
            *failed.lock().unwrap_or_else(PoisonError::into_inner) = result.err();
            drop(from_client);
        };
        std::thread::Builder::new()
            .name("LSP reader".into())
            .spawn(read)?;
        Ok(Self {
            sender,
            receiver,
            failure,
            writer: Some(writer),
        })
    }

    /// Waits until all messages are written. The reader is not joined, because a silent client may
    /// block it.
    ///
    /// # Errors
    /// The message of the client that ended the connection.
    pub(super) fn close(self) -> Result<(), TransportError> {
        drop(self.sender);
        let start = Instant::now();
        while let Some(writer) = &self.writer
            && !writer.is_finished()
            && start.elapsed() < LAST_WORDS
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        let failure = self
            .failure
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        failure.map_or(Ok(()), Err)
    }
}

/// Reads messages until the input ends or `send` returns `false`. `refuse` gets the error responses
/// to malformed messages.
///
/// # Errors
/// A message without a usable length, or an input that ends within a message.
fn read_all(
    input: &mut dyn BufRead,
    send: &mut dyn FnMut(Message) -> bool,
    refuse: &mut dyn FnMut(Value),
) -> Result<(), TransportError> {
    while let Some(length) = read_headers(input)? {
        let mut content = Vec::new();
        // The buffer grows with the received data, not with the announced length.
        input
            .take(length)
            .read_to_end(&mut content)
            .map_err(TransportError::Read)?;
        if (content.len() as u64) < length {
            return Err(TransportError::CutMessage {
                read: content.len(),
                length,
            });
        }
        match message(&content) {
            Ok(message) => {
                let is_exit = matches!(&message, Message::Notification(n) if n.method == "exit");
                if !send(message) || is_exit {
                    break;
                }
            }
            Err(Some(error)) => refuse(error),
            Err(None) => {}
        }
    }
    Ok(())
}

/// Reads the headers of a message. Returns the length of its content; `None` if the input ended
/// before it.
fn read_headers(input: &mut dyn BufRead) -> Result<Option<u64>, TransportError> {
    let (mut length, mut is_first) = (None, true);
    loop {
        let mut line = Vec::new();
        input
            .take(MAX_HEADER)
            .read_until(b'\n', &mut line)
            .map_err(TransportError::Read)?;
        if line.is_empty() && is_first {
            return Ok(None);
        }
        is_first = false;
        let text = String::from_utf8_lossy(&line);
        let Some(text) = text.strip_suffix('\n').map(|t| t.trim_end_matches('\r')) else {
            return Err(TransportError::CutHeader(shown(&text)));
        };
        if text.is_empty() {
            break;
        }
        let Some((name, value)) = text.split_once(':') else {
            return Err(TransportError::Header(shown(text)));
        };
        if name.trim().eq_ignore_ascii_case("Content-Length") {
            let usable = value.trim().parse().ok().filter(|n| *n <= MAX_LENGTH);
            let Some(usable) = usable else {
                return Err(TransportError::Length {
                    header: shown(text),
                    max: MAX_LENGTH,
                });
            };
            length = Some(usable);
        }
    }
    length.map(Some).ok_or(TransportError::NoLength)
}

/// Returns the start of a header in a printable form.
fn shown(header: &str) -> String {
    format!("{:?}", header.chars().take(80).collect::<String>())
}

/// Parses the content of a message. The error is the response, if the protocol allows one.
fn message(content: &[u8]) -> Result<Message, Option<Value>> {
    let error = |id: Value, code: ErrorCode, message: String| json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } });
    let value: Value = match std::str::from_utf8(content) {
        Ok(text) => serde_json::from_str(text).map_err(|e| {
            let message = format!("the message is not JSON: {e}");
            error(Value::Null, ErrorCode::ParseError, message)
        })?,
        Err(e) => {
            let message = format!("the message is not UTF-8: {e}");
            return Err(Some(error(Value::Null, ErrorCode::ParseError, message)));
        }
    };
    let id = value
        .get("id")
        .filter(|id| id.is_string() || id.is_number());
    let id = id.cloned().unwrap_or(Value::Null);
    // A malformed response gets no error response, which could lead to an endless exchange.
    let is_answer = value.get("method").is_none()
        && (value.get("result").is_some() || value.get("error").is_some());
    let why = match &value {
        Value::Array(_) => "LSP has no batches of messages",
        Value::Object(_) => "the message is neither a request nor a notification nor a response",
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            "the message is not an object"
        }
    };
    serde_json::from_value(value)
        .map_err(|_| (!is_answer).then(|| error(id, ErrorCode::InvalidRequest, why.to_owned())))
}

/// Writes a message.
fn write_text(out: &mut dyn Write, text: &str) -> std::io::Result<()> {
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the methods and errors that are read from an input, and the end of the connection.
    fn read(input: &[u8]) -> (Vec<String>, Result<(), TransportError>) {
        let all = std::cell::RefCell::new(Vec::new());
        let result = read_all(
            &mut &*input,
            &mut |message| {
                all.borrow_mut().push(match message {
                    Message::Request(r) => r.method,
                    Message::Notification(n) => n.method,
                    Message::Response(r) => format!("response {}", r.id),
                });
                true
            },
            &mut |error| {
                all.borrow_mut()
                    .push(format!("{} {}", error["id"], error["error"]["code"]));
            },
        );
        (all.into_inner(), result)
    }

    fn framed(contents: &[&[u8]]) -> Vec<u8> {
        let frame = |content: &&[u8]| {
            let mut bytes = format!("Content-Length: {}\r\n\r\n", content.len()).into_bytes();
            bytes.extend_from_slice(content);
            bytes
        };
        contents.iter().flat_map(frame).collect()
    }

    const NOTE: &[u8] = br#"{"jsonrpc":"2.0","method":"note"}"#;

    #[test]
    fn a_malformed_message_is_answered_and_the_next_one_is_read() {
        let deep = "[".repeat(100_000);
        let cases: [(&[u8], &[&str]); 11] = [
            (b"abcde", &["null -32700"]),
            (b"", &["null -32700"]),
            (b"\xff\xfe{}", &["null -32700"]),
            (deep.as_bytes(), &["null -32700"]),
            (br#"[{"jsonrpc":"2.0","method":"a"}]"#, &["null -32600"]),
            (b"42", &["null -32600"]),
            (b"{}", &["null -32600"]),
            (br#"{"id":7}"#, &["7 -32600"]),
            (br#"{"id":"a","method":3}"#, &["\"a\" -32600"]),
            (br#"{"id":null,"error":{"code":1,"message":""}}"#, &[]),
            (br#"{"id":7,"result":null}"#, &["response 7"]),
        ];
        for (content, expected) in cases {
            let (found, end) = read(&framed(&[content, NOTE]));
            let expected: Vec<&str> = expected.iter().copied().chain(["note"]).collect();
            assert_eq!(found, expected, "{}", String::from_utf8_lossy(content));
            assert!(end.is_ok(), "{end:?}");
        }
    }

    #[test]
    fn without_a_usable_length_the_connection_ends_with_the_reason() {
        let cases: [&[u8]; 8] = [
            b"Content-Length: 99999999999999\r\n\r\n{}",
            b"Content-Length: 99999999999999999999999999\r\n\r\n{}",
            b"Content-Length: -5\r\n\r\nabcde",
            b"Content-Length: five\r\n\r\nabcde",
            b"Content-Type: x\r\n\r\n{}",
            b"no header at all\r\n\r\n{}",
            b"Content-Length: 10",
            b"Content-Length: 10\r\n\r\n{}",
        ];
        for case in cases {
            let (found, end) = read(&[&framed(&[NOTE]), case].concat());
            assert_eq!(found, ["note"]);
            assert!(end.is_err(), "{}", String::from_utf8_lossy(case));
        }
        assert!(read(&b"x".repeat(1 << 16)).1.is_err());
    }

    #[test]
    fn headers_are_read_as_other_servers_read_them() {
        let input = b"content-length:33\nX: y: z\n\n{\"jsonrpc\":\"2.0\",\"method\":\"note\"}";
        let (found, end) = read(input);
        assert_eq!(found, ["note"]);
        assert!(end.is_ok(), "{end:?}");
        let (found, end) = read(b"");
        assert!(found.is_empty() && end.is_ok(), "{end:?}");
    }
}

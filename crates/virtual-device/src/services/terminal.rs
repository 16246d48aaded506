//! The line discipline of an interactive shell's PTY: echo, editing, CR and LF.

/// A cooked terminal.
#[derive(Debug, Default)]
pub(super) struct Terminal {
    line: Vec<u8>,
}

impl Terminal {
    /// What a person typed: `(echo, finished lines for the process, end of input)`.
    pub(super) fn input(&mut self, bytes: &[u8]) -> (Vec<u8>, Vec<u8>, bool) {
        let mut echo = Vec::new();
        let mut ready = Vec::new();
        for &byte in bytes {
            match byte {
                b'\r' | b'\n' => {
                    echo.push(b'\n');
                    self.line.push(b'\n');
                    ready.append(&mut self.line);
                }
                // Backspace.
                0x7f | 0x08 => {
                    if self.line.pop().is_some() {
                        echo.extend_from_slice(b"\x08 \x08");
                    }
                }
                // Control-C drops the line.
                3 => {
                    self.line.clear();
                    echo.extend_from_slice(b"^C\n");
                    ready.push(b'\n');
                }
                // Control-D on an empty line.
                4 if self.line.is_empty() => return (echo, ready, true),
                4 => {}
                other => {
                    echo.push(other);
                    self.line.push(other);
                }
            }
        }
        (echo, ready, false)
    }

    /// What the process wrote: LF becomes CR LF (`OPOST | ONLCR`).
    #[expect(clippy::unused_self, reason = "belongs to the terminal like input")]
    pub(super) fn output(&self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len() + 8);
        for &byte in bytes {
            if byte == b'\n' {
                out.push(b'\r');
            }
            out.push(byte);
        }
        out
    }
}

//! `sync:`: push, pull, ls and stat (`file_sync_service.cpp`).

use super::sync_packet::{
    MAX_DATA, MAX_PATH, STAT_V2_LEN, entry_v1, entry_v2, fail, listing_done, parse_send, stat_v1, stat_v2, word,
};
use crate::system::{FileSystem, FsError, SharedSystem};
use crate::wire::{Closed, Stream, StreamReader, StreamWriter};
use std::sync::Arc;

/// `sendrecv_v2` flag: receive everything, write nothing.
const DRY_RUN: u32 = 0x8000_0000;

pub(super) async fn run(system: Arc<SharedSystem>, stream: Stream) {
    let mut session = Session { system, reader: stream.reader, writer: stream.writer };
    // Ends with QUIT, with a broken request, or when the host closes.
    while let Ok(true) = session.request().await {}
}

struct Session {
    system: Arc<SharedSystem>,
    reader: StreamReader,
    writer: StreamWriter,
}

impl Session {
    /// Serves one request; false at the end of the session.
    async fn request(&mut self) -> Result<bool, Closed> {
        let (id, length) = self.header().await?;
        if length as usize > MAX_PATH {
            self.writer.write(&fail("path too long")).await?;
            return Ok(false);
        }
        let Ok(path) = String::from_utf8(self.reader.exact(length as usize).await?) else {
            self.writer.write(&fail("path is not UTF-8")).await?;
            return Ok(false);
        };
        match &id {
            b"STAT" => self.reply(|files| stat_v1(files.lstat(&path))).await?,
            b"STA2" => self.reply(|files| stat_v2(*b"STA2", files.stat(&path))).await?,
            b"LST2" => self.reply(|files| stat_v2(*b"LST2", files.lstat(&path))).await?,
            b"LIST" => self.reply(|files| list(files, &path, ListFormat::V1)).await?,
            b"LIS2" => self.reply(|files| list(files, &path, ListFormat::V2)).await?,
            b"SEND" => {
                let (path, mode) = parse_send(&path);
                self.receive_file(path, mode, 0).await?;
            }
            b"SND2" => {
                let (_, mode) = self.header().await?;
                let flags = self.word().await?;
                self.receive_file(&path, mode, flags).await?;
            }
            b"RECV" => self.send_file(&path, 0).await?,
            b"RCV2" => {
                let (_, flags) = self.header().await?;
                self.send_file(&path, flags).await?;
            }
            b"QUIT" => return Ok(false),
            other => {
                let name = String::from_utf8_lossy(other).into_owned();
                self.writer.write(&fail(&format!("unknown command {name}"))).await?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn header(&mut self) -> Result<([u8; 4], u32), Closed> {
        let bytes = self.reader.exact(4).await?;
        let mut id = [0; 4];
        id.copy_from_slice(&bytes);
        Ok((id, self.word().await?))
    }

    async fn word(&mut self) -> Result<u32, Closed> {
        let bytes = self.reader.exact(4).await?;
        let mut word = [0; 4];
        word.copy_from_slice(&bytes);
        Ok(u32::from_le_bytes(word))
    }

    async fn reply(&self, make: impl FnOnce(&FileSystem) -> Vec<u8>) -> Result<(), Closed> {
        let bytes = make(&self.system.lock().files);
        self.writer.write(&bytes).await
    }

    async fn send_file(&self, path: &str, flags: u32) -> Result<(), Closed> {
        if flags != 0 {
            return self.writer.write(&fail(&format!("unsupported compression flags {flags:#x}"))).await;
        }
        let read = self.system.lock().files.read(path).map(<[u8]>::to_vec);
        match read {
            Ok(content) => {
                let mut bytes = Vec::with_capacity(content.len() + 64);
                for chunk in content.chunks(MAX_DATA) {
                    bytes.extend_from_slice(&word(*b"DATA", chunk.len() as u32));
                    bytes.extend_from_slice(chunk);
                }
                bytes.extend_from_slice(&word(*b"DONE", 0));
                self.writer.write(&bytes).await
            }
            // A directory opens, but cannot be read.
            Err(FsError::IsDirectory) => self.writer.write(&fail("read failed: Is a directory")).await,
            Err(error) => self.writer.write(&fail(&format!("open failed: {error}"))).await,
        }
    }

    async fn receive_file(&mut self, path: &str, mode: u32, flags: u32) -> Result<(), Closed> {
        let problem = self.prepare(path, mode, flags).err();
        if let Some(problem) = &problem {
            // Said at once; what the host has under way is read and thrown away (old clients look only at the end).
            self.writer.write(&fail(problem)).await?;
        }
        let mut content = Vec::new();
        let mut full = false;
        let mtime = loop {
            let (id, length) = self.header().await?;
            match &id {
                b"DONE" => break length,
                b"DATA" if length as usize <= MAX_DATA => {
                    let data = self.reader.exact(length as usize).await?;
                    full |= (content.len() + data.len()) as u64 > FileSystem::CAPACITY;
                    if problem.is_none() && !full && flags & DRY_RUN == 0 {
                        content.extend_from_slice(&data);
                    }
                }
                b"DATA" => {
                    self.writer.write(&fail("oversize data message")).await?;
                    return Err(Closed);
                }
                _ => {
                    self.writer.write(&fail("unexpected message in a file")).await?;
                    return Err(Closed);
                }
            }
        };
        if problem.is_some() {
            return Ok(());
        }
        let stored = if full { Err(FsError::NoSpace) } else { self.store(path, content, mode, mtime, flags) };
        match stored {
            Ok(()) => self.writer.write(&word(*b"OKAY", 0)).await,
            Err(error) => self.writer.write(&fail(&format!("write failed: {error}"))).await,
        }
    }

    /// Creates the parents and checks that the file may be written.
    fn prepare(&self, path: &str, mode: u32, flags: u32) -> Result<(), String> {
        if flags & !DRY_RUN != 0 {
            return Err(format!("unsupported compression flags {flags:#x}"));
        }
        if mode & 0o170_000 == 0o120_000 {
            return Err("couldn't create symlink: Operation not permitted".to_owned());
        }
        if flags & DRY_RUN != 0 {
            return Ok(());
        }
        let mut system = self.system.lock();
        if let Some((folder, _)) = path.rsplit_once('/').filter(|(folder, _)| !folder.is_empty())
            && system.files.stat(folder).is_err()
        {
            let created = system.files.make_directories(folder);
            created.map_err(|error| format!("secure_mkdirs failed: {error}"))?;
        }
        system.files.check_file_writable(path).map_err(|error| format!("couldn't create file: {error}"))
    }

    fn store(&self, path: &str, content: Vec<u8>, mode: u32, mtime: u32, flags: u32) -> Result<(), FsError> {
        if flags & DRY_RUN != 0 {
            return Ok(());
        }
        let mut system = self.system.lock();
        system.files.write(path, content, mode & 0o777)?;
        system.files.set_permissions(path, mode)?;
        system.files.set_mtime(path, i64::from(mtime))
    }
}

#[derive(Clone, Copy)]
enum ListFormat {
    V1,
    V2,
}

/// A directory's entries with `.` and `..`; nothing but the end for what cannot be listed.
fn list(files: &FileSystem, path: &str, format: ListFormat) -> Vec<u8> {
    let (encode, length): (fn(&str, _) -> Vec<u8>, usize) = match format {
        ListFormat::V1 => (entry_v1, 20),
        ListFormat::V2 => (entry_v2, STAT_V2_LEN + 4),
    };
    let mut bytes = Vec::new();
    if let (Ok(entries), Ok(own)) = (files.list(path), files.stat(path)) {
        for name in [".", ".."] {
            bytes.extend(encode(name, own));
        }
        for (name, stat) in entries {
            bytes.extend(encode(&name, stat));
        }
    }
    bytes.extend(listing_done(length));
    bytes
}

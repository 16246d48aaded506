//! Files in memory.

use super::permissions::{Rights, SHELL_UID, check_read, check_write};
use crate::faults::{Fault, Faults};
use std::collections::BTreeMap;

/// What is wrong with a path; prints as `strerror` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FsError {
    /// ENOENT.
    #[error("No such file or directory")]
    NotFound,
    /// EACCES.
    #[error("Permission denied")]
    PermissionDenied,
    /// EROFS.
    #[error("Read-only file system")]
    ReadOnly,
    /// EISDIR.
    #[error("Is a directory")]
    IsDirectory,
    /// ENOTDIR.
    #[error("Not a directory")]
    NotDirectory,
    /// EEXIST.
    #[error("File exists")]
    Exists,
    /// ENOTEMPTY.
    #[error("Directory not empty")]
    NotEmpty,
    /// ENOSPC.
    #[error("No space left on device")]
    NoSpace,
}

impl FsError {
    /// Linux's errno, as STA2 and LST2 report it.
    pub const fn errno(self) -> u32 {
        match self {
            Self::NotFound => 2,
            Self::PermissionDenied => 13,
            Self::Exists => 17,
            Self::NotDirectory => 20,
            Self::IsDirectory => 21,
            Self::NoSpace => 28,
            Self::ReadOnly => 30,
            Self::NotEmpty => 39,
        }
    }
}

/// What a path names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NodeKind {
    /// A file with its content.
    File(Vec<u8>),
    /// A directory.
    Directory,
    /// A symbolic link with its target.
    Link(String),
    /// `/dev/null`: takes everything and holds nothing.
    Null,
    /// A file of `/proc`: what the kernel says, of no size.
    Report(Vec<u8>),
}

#[derive(Debug, Clone)]
struct Node {
    kind: NodeKind,
    permissions: u32,
    uid: u32,
    mtime: i64,
    inode: u64,
}

/// What `stat` tells of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileStat {
    /// Type and permission bits.
    pub mode: u32,
    /// Bytes.
    pub size: u64,
    /// Seconds since 1970.
    pub mtime: i64,
    /// Inode number.
    pub inode: u64,
    /// Owner.
    pub uid: u32,
}

impl FileStat {
    /// True for a directory.
    pub const fn is_directory(self) -> bool {
        self.mode & 0o170_000 == 0o040_000
    }
}

/// A small Linux tree: `/data/local/tmp` and shared storage can be written, the rest looks like Android's.
#[derive(Debug)]
pub struct FileSystem {
    nodes: BTreeMap<String, Node>,
    used: u64,
    capacity: u64,
    next_inode: u64,
    /// Seconds since 1970, set by the owner before each change.
    pub(super) now: i64,
    /// As whom adbd works.
    pub rights: Rights,
    /// What goes wrong on purpose.
    pub(super) faults: Faults,
}

impl FileSystem {
    /// Bytes all files together may hold.
    pub const CAPACITY: u64 = 512 * 1024 * 1024;

    /// The tree of a fresh device. `commands` become files of `/system/bin`.
    pub fn new<'a>(commands: impl IntoIterator<Item = &'a str>, now: i64) -> Self {
        let mut tree = Self {
            nodes: BTreeMap::new(),
            used: 0,
            capacity: Self::CAPACITY,
            next_inode: 1,
            now,
            rights: Rights::default(),
            faults: Faults::default(),
        };
        let directories = [
            "/",
            "/data",
            "/data/app",
            "/data/data",
            "/data/local",
            "/data/local/tmp",
            "/dev",
            "/proc",
            "/sys",
            "/sys/devices",
            "/sys/devices/system",
            "/sys/devices/system/cpu",
            "/sys/devices/system/cpu/cpu0",
            "/sys/devices/system/cpu/cpu1",
            "/sys/devices/system/cpu/cpu2",
            "/sys/devices/system/cpu/cpu3",
            "/storage",
            "/storage/emulated",
            "/storage/emulated/0",
            "/storage/self",
            "/system",
            "/system/bin",
        ];
        for path in directories {
            tree.put(path.to_owned(), NodeKind::Directory, 0o755, 0);
        }
        tree.put("/dev/null".to_owned(), NodeKind::Null, 0o666, 0);
        for shared in ["Alarms", "Android", "DCIM", "Documents", "Download", "Movies", "Music", "Pictures"] {
            tree.put(format!("/storage/emulated/0/{shared}"), NodeKind::Directory, 0o770, SHELL_UID);
        }
        for own in ["/data/local/tmp", "/storage/emulated/0"] {
            tree.put(own.to_owned(), NodeKind::Directory, 0o771, SHELL_UID);
        }
        for (link, target) in [
            ("/sdcard", "/storage/self/primary"),
            ("/storage/self/primary", "/storage/emulated/0"),
            ("/bin", "/system/bin"),
        ] {
            tree.put(link.to_owned(), NodeKind::Link(target.to_owned()), 0o777, 0);
        }
        for command in commands {
            tree.put(format!("/system/bin/{command}"), NodeKind::File(Vec::new()), 0o755, 0);
        }
        tree
    }

    fn put(&mut self, path: String, kind: NodeKind, permissions: u32, uid: u32) {
        let inode = self.next_inode;
        self.next_inode += 1;
        let size = size_of_kind(&kind);
        let node = Node { kind, permissions, uid, mtime: self.now, inode };
        if let Some(old) = self.nodes.insert(path, node) {
            self.used -= size_of_kind(&old.kind);
        }
        self.used += size;
    }

    /// The absolute path with `.`, `..` and links of directories resolved; the last component's link only where
    /// `follow` says so.
    fn resolve(&self, path: &str, follow: Follow) -> Result<String, FsError> {
        // A trailing slash asks for the directory behind a link.
        let follow = if path.ends_with('/') { Follow::Yes } else { follow };
        let mut pending: Vec<String> = path.split('/').rev().map(ToOwned::to_owned).collect();
        let mut resolved = String::new();
        let mut links = 0;
        while let Some(part) = pending.pop() {
            match part.as_str() {
                "" | "." => {}
                ".." => resolved.truncate(resolved.rfind('/').unwrap_or(0)),
                name => {
                    let here = format!("{resolved}/{name}");
                    let last = pending.iter().all(String::is_empty);
                    match self.nodes.get(&here).map(|node| &node.kind) {
                        Some(NodeKind::Link(target)) if !last || follow == Follow::Yes => {
                            links += 1;
                            if links > 40 {
                                return Err(FsError::NotFound);
                            }
                            pending.extend(target.split('/').rev().map(ToOwned::to_owned));
                            if target.starts_with('/') {
                                resolved.clear();
                            }
                        }
                        Some(NodeKind::File(_) | NodeKind::Null | NodeKind::Report(_)) if !last => {
                            return Err(FsError::NotDirectory);
                        }
                        None if !last => return Err(FsError::NotFound),
                        _ => resolved = here,
                    }
                }
            }
        }
        Ok(if resolved.is_empty() { "/".to_owned() } else { resolved })
    }

    fn node(&self, path: &str, follow: Follow) -> Result<(String, &Node), FsError> {
        let path = self.resolve(path, follow)?;
        let node = self.nodes.get(&path).ok_or(FsError::NotFound)?;
        Ok((path, node))
    }

    /// `stat(2)`: follows links.
    pub fn stat(&self, path: &str) -> Result<FileStat, FsError> {
        self.node(path, Follow::Yes).map(|(_, node)| stat_of(node))
    }

    /// `lstat(2)`: does not follow the last link.
    pub fn lstat(&self, path: &str) -> Result<FileStat, FsError> {
        self.node(path, Follow::No).map(|(_, node)| stat_of(node))
    }

    /// The path with every link followed.
    pub fn real_path(&self, path: &str) -> Result<String, FsError> {
        self.node(path, Follow::Yes).map(|(path, _)| path)
    }

    /// Bytes all files hold.
    pub const fn used(&self) -> u64 {
        self.used
    }

    /// Moves a file, or a directory with what is in it, as the shell user; a file that is in the way goes.
    pub fn rename(&mut self, from: &str, to: &str) -> Result<(), FsError> {
        let (from, node) = self.node(from, Follow::No)?;
        check_write(&from, self.rights)?;
        let is_directory = node.kind == NodeKind::Directory;
        let to = self.resolve(to, Follow::No)?;
        let parent = to.rfind('/').map_or("/", |at| &to[..at.max(1)]);
        match self.nodes.get(parent).map(|node| &node.kind) {
            Some(NodeKind::Directory) => check_write(&to, self.rights)?,
            Some(_) => return Err(FsError::NotDirectory),
            None => return Err(FsError::NotFound),
        }
        if from == to {
            return Ok(());
        }
        let below = format!("{from}/");
        match self.nodes.get(&to).map(|node| &node.kind) {
            Some(NodeKind::Directory) => return Err(FsError::IsDirectory),
            Some(_) if is_directory => return Err(FsError::NotDirectory),
            // A directory cannot move into itself.
            _ if to.starts_with(&below) => return Err(FsError::Exists),
            _ => self.remove_system(&to),
        }
        let moved: Vec<String> =
            self.nodes.keys().filter(|name| **name == from || name.starts_with(&below)).cloned().collect();
        for name in moved {
            if let Some(node) = self.nodes.remove(&name) {
                self.nodes.insert(format!("{to}{}", &name[from.len()..]), node);
            }
        }
        Ok(())
    }

    /// Where a symbolic link points.
    pub fn link_target(&self, path: &str) -> Option<&str> {
        match &self.node(path, Follow::No).ok()?.1.kind {
            NodeKind::Link(target) => Some(target),
            _ => None,
        }
    }

    /// A file's content.
    pub fn read(&self, path: &str) -> Result<&[u8], FsError> {
        let (path, node) = self.node(path, Follow::Yes)?;
        check_read(&path, self.rights)?;
        match &node.kind {
            NodeKind::File(content) | NodeKind::Report(content) => Ok(content),
            NodeKind::Null => Ok(&[]),
            NodeKind::Directory | NodeKind::Link(_) => Err(FsError::IsDirectory),
        }
    }

    /// Names and stats of a directory's entries, sorted, without `.` and `..`.
    pub fn list(&self, path: &str) -> Result<Vec<(String, FileStat)>, FsError> {
        let (path, node) = self.node(path, Follow::Yes)?;
        check_read(&path, self.rights)?;
        if node.kind != NodeKind::Directory {
            return Err(FsError::NotDirectory);
        }
        let prefix = if path == "/" { path } else { format!("{path}/") };
        Ok(self
            .nodes
            .range(prefix.clone()..)
            .take_while(|(name, _)| name.starts_with(&prefix))
            .filter_map(|(name, node)| {
                let name = &name[prefix.len()..];
                (!name.is_empty() && !name.contains('/')).then(|| (name.to_owned(), stat_of(node)))
            })
            .collect())
    }

    /// Creates or replaces a file as the shell user.
    pub fn write(&mut self, path: &str, content: Vec<u8>, permissions: u32) -> Result<(), FsError> {
        let path = self.writable(path)?;
        if path == NULL {
            return Ok(());
        }
        let old = match self.nodes.get(&path).map(|node| &node.kind) {
            Some(NodeKind::Directory) => return Err(FsError::IsDirectory),
            Some(kind) => size_of_kind(kind),
            None => 0,
        };
        if self.used - old + content.len() as u64 > self.capacity {
            return Err(FsError::NoSpace);
        }
        let permissions = self.nodes.get(&path).map_or(permissions, |node| node.permissions);
        // Opening makes the file; it is the bytes that find no room.
        if !content.is_empty()
            && path.starts_with("/storage/emulated/")
            && self.faults.strike_at(Fault::FullSdcard, &path).is_some()
        {
            self.put(path, NodeKind::File(Vec::new()), permissions, self.rights.uid());
            return Err(FsError::NoSpace);
        }
        self.put(path, NodeKind::File(content), permissions, self.rights.uid());
        Ok(())
    }

    /// Adds to a file as the shell user, creating it if need be.
    pub fn append(&mut self, path: &str, more: &[u8]) -> Result<(), FsError> {
        let mut content = match self.read(path) {
            Ok(content) => content.to_vec(),
            Err(FsError::NotFound) => Vec::new(),
            Err(error) => return Err(error),
        };
        content.extend_from_slice(more);
        self.write(path, content, 0o644)
    }

    /// Creates or replaces a file that belongs to the system (`/data/app/…`), with its directories.
    pub(super) fn write_system(&mut self, path: &str, content: Vec<u8>) -> Result<(), FsError> {
        let old = self.nodes.get(path).map_or(0, |node| size_of_kind(&node.kind));
        if self.used - old + content.len() as u64 > self.capacity {
            return Err(FsError::NoSpace);
        }
        for (at, _) in path.match_indices('/').skip(1) {
            if !self.nodes.contains_key(&path[..at]) {
                self.put(path[..at].to_owned(), NodeKind::Directory, 0o755, 0);
            }
        }
        self.put(path.to_owned(), NodeKind::File(content), 0o644, 0);
        Ok(())
    }

    /// Puts what the kernel says into a file of `/proc`, with its directory.
    pub(super) fn put_report(&mut self, path: &str, content: Vec<u8>) {
        if let Some(Node { kind: NodeKind::Report(old), .. }) = self.nodes.get_mut(path) {
            *old = content;
            return;
        }
        let directory = path.rfind('/').map_or("/", |at| &path[..at]);
        if !self.nodes.contains_key(directory) {
            self.put(directory.to_owned(), NodeKind::Directory, 0o555, 0);
        }
        self.put(path.to_owned(), NodeKind::Report(content), 0o444, 0);
    }

    /// Names below `/proc` that are numbers: processes that have files.
    pub(super) fn reported_processes(&self) -> Vec<u32> {
        let names = self.nodes.range("/proc/".to_owned()..).map_while(|(name, _)| name.strip_prefix("/proc/"));
        names.filter_map(|name| name.parse().ok()).collect()
    }

    /// Deletes a system file or directory with everything below it.
    pub(super) fn remove_system(&mut self, path: &str) {
        let below = format!("{path}/");
        let doomed: Vec<String> =
            self.nodes.keys().filter(|name| *name == path || name.starts_with(&below)).cloned().collect();
        for name in doomed {
            if let Some(node) = self.nodes.remove(&name) {
                self.used -= size_of_kind(&node.kind);
            }
        }
    }

    /// Creates a directory as the shell user.
    pub fn make_directory(&mut self, path: &str) -> Result<(), FsError> {
        let resolved = self.resolve(path, Follow::Yes)?;
        if self.nodes.contains_key(&resolved) {
            return Err(FsError::Exists);
        }
        let path = self.writable(path)?;
        self.put(path, NodeKind::Directory, 0o770, self.rights.uid());
        Ok(())
    }

    /// Creates a directory and those above it; no error for one that exists.
    pub fn make_directories(&mut self, path: &str) -> Result<(), FsError> {
        let ends = path.match_indices('/').map(|(at, _)| at).skip(1).chain([path.len()]);
        for end in ends {
            match self.make_directory(&path[..end]) {
                Ok(()) => {}
                Err(FsError::Exists) if self.stat(&path[..end])?.is_directory() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Deletes a file or link as the shell user.
    pub fn remove_file(&mut self, path: &str) -> Result<(), FsError> {
        let (path, node) = self.node(path, Follow::No)?;
        if node.kind == NodeKind::Directory {
            return Err(FsError::IsDirectory);
        }
        check_write(&path, self.rights)?;
        self.remove_system(&path);
        Ok(())
    }

    /// Deletes a directory and what is in it as the shell user.
    pub fn remove_tree(&mut self, path: &str) -> Result<(), FsError> {
        let (path, _) = self.node(path, Follow::No)?;
        check_write(&path, self.rights)?;
        self.remove_system(&path);
        Ok(())
    }

    /// Sets the modification time in seconds since 1970.
    pub fn set_mtime(&mut self, path: &str, mtime: i64) -> Result<(), FsError> {
        let path = self.resolve(path, Follow::Yes)?;
        check_write(&path, self.rights)?;
        self.nodes.get_mut(&path).ok_or(FsError::NotFound)?.mtime = mtime;
        Ok(())
    }

    /// Sets the permission bits.
    pub fn set_permissions(&mut self, path: &str, permissions: u32) -> Result<(), FsError> {
        let path = self.resolve(path, Follow::Yes)?;
        check_write(&path, self.rights)?;
        self.nodes.get_mut(&path).ok_or(FsError::NotFound)?.permissions = permissions & 0o777;
        Ok(())
    }

    /// Whether the shell user could create or replace the file `path`.
    pub fn check_file_writable(&self, path: &str) -> Result<(), FsError> {
        let path = self.writable(path)?;
        match self.nodes.get(&path).map(|node| &node.kind) {
            Some(NodeKind::Directory) => Err(FsError::IsDirectory),
            _ => Ok(()),
        }
    }

    fn writable(&self, path: &str) -> Result<String, FsError> {
        let path = self.resolve(path, Follow::Yes)?;
        let parent = match path.rfind('/') {
            Some(0) | None => "/",
            Some(at) => &path[..at],
        };
        match self.nodes.get(parent).map(|node| &node.kind) {
            Some(NodeKind::Directory) => {}
            Some(_) => return Err(FsError::NotDirectory),
            None => return Err(FsError::NotFound),
        }
        if self.nodes.get(&path).is_some_and(|node| node.kind == NodeKind::Directory) {
            return Err(FsError::IsDirectory);
        }
        if path != NULL {
            check_write(&path, self.rights)?;
        }
        Ok(path)
    }
}

/// Everybody may write to it, and it stays as it is.
const NULL: &str = "/dev/null";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follow {
    Yes,
    No,
}

fn size_of_kind(kind: &NodeKind) -> u64 {
    match kind {
        NodeKind::File(content) => content.len() as u64,
        NodeKind::Link(target) => target.len() as u64,
        NodeKind::Directory | NodeKind::Null | NodeKind::Report(_) => 0,
    }
}

fn stat_of(node: &Node) -> FileStat {
    let kind = match node.kind {
        NodeKind::File(_) | NodeKind::Report(_) => 0o100_000,
        NodeKind::Null => 0o020_000,
        NodeKind::Directory => 0o040_000,
        NodeKind::Link(_) => 0o120_000,
    };
    let size = if node.kind == NodeKind::Directory { 4096 } else { size_of_kind(&node.kind) };
    FileStat { mode: kind | node.permissions, size, mtime: node.mtime, inode: node.inode, uid: node.uid }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sdcard_is_a_link_into_shared_storage() {
        let mut files = FileSystem::new(["ls"], 7);
        files.write("/sdcard/a.txt", b"hi".to_vec(), 0o644).unwrap();
        assert_eq!(files.read("/storage/emulated/0/a.txt").unwrap(), b"hi");
        assert_eq!(files.lstat("/sdcard").unwrap().mode, 0o120_777);
        assert!(files.stat("/sdcard/").unwrap().is_directory());
        assert_eq!(files.read("/sdcard/../0/a.txt").unwrap(), b"hi");
    }

    #[test]
    fn errors_are_those_of_linux() {
        let mut files = FileSystem::new([], 0);
        assert_eq!(files.read("/nope"), Err(FsError::NotFound));
        assert_eq!(files.read("/data"), Err(FsError::PermissionDenied));
        assert_eq!(files.read("/sdcard"), Err(FsError::IsDirectory));
        assert_eq!(files.write("/sdcard/no/dir/x", vec![], 0), Err(FsError::NotFound));
        assert_eq!(files.write("/x", vec![], 0), Err(FsError::ReadOnly));
        assert_eq!(files.write("/data/local/tmp/big", vec![0; 600 << 20], 0), Err(FsError::NoSpace));
        files.write("/data/local/tmp/f", vec![1], 0o600).unwrap();
        assert_eq!(files.read("/data/local/tmp/f/g"), Err(FsError::NotDirectory));
        assert_eq!(files.make_directory("/data/local/tmp/f"), Err(FsError::Exists));
    }

    #[test]
    fn the_null_device_takes_everything_and_holds_nothing() {
        let mut files = FileSystem::new([], 0);
        files.write("/dev/null", b"gone".to_vec(), 0o644).unwrap();
        files.append("/dev/null", b"too").unwrap();
        assert_eq!(files.read("/dev/null"), Ok(&[][..]));
        assert_eq!(files.stat("/dev/null").map(|stat| (stat.mode, stat.size)), Ok((0o020_666, 0)));
        assert_eq!(files.remove_file("/dev/null"), Err(FsError::PermissionDenied));
        assert_eq!(files.read("/dev/null/x"), Err(FsError::NotDirectory));
    }

    #[test]
    fn removing_a_tree_gives_its_bytes_back() {
        let mut files = FileSystem::new([], 0);
        let before = files.used;
        files.make_directories("/data/local/tmp/a/b").unwrap();
        files.write("/data/local/tmp/a/b/c", vec![0; 100], 0o644).unwrap();
        assert_eq!(files.used, before + 100);
        files.remove_tree("/data/local/tmp/a").unwrap();
        assert_eq!((files.used, files.stat("/data/local/tmp/a")), (before, Err(FsError::NotFound)));
    }
}

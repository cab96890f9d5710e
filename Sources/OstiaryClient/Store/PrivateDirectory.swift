import Foundation

/// An open directory that only its owner, the user of this process, can access.
///
/// Every name is resolved relative to the open directory and no symbolic link is followed, so the file that was checked
/// is the file that is used.
struct PrivateDirectory: ~Copyable {
    let path: String
    private let descriptor: CInt

    /// Opens the directory; a missing directory and its missing parents are created for the user alone.
    init(making path: String) throws(StoreProblem) {
        try Self.checkIsAbsolute(path)
        var made = ""
        for component in path.split(separator: "/") {
            made += "/\(component)"
            // Parent directories may exist that this process could not have created.
            if mkdir(made, 0o700) != 0, ![EEXIST, EROFS, EACCES].contains(errno) {
                throw .system(path: made, code: errno)
            }
        }
        try self.init(path: path)
    }

    /// Opens an existing directory.
    init(path: String) throws(StoreProblem) {
        try Self.checkIsAbsolute(path)
        descriptor = try checked(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), path: path)
        self.path = path
    }

    deinit { close(descriptor) }

    /// Rejects a relative path, which would mean another place for each working directory of the program.
    private static func checkIsAbsolute(_ path: String) throws(StoreProblem) {
        guard path.hasPrefix("/") else { throw .system(path: path, code: EINVAL) }
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Reads a file; `nil` if there is none. Stops at some point after `maximum` bytes.
    func read(_ name: String, atMost maximum: Int) throws(StoreProblem) -> [UInt8]? {
        let opened = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        if opened < 0, errno == ENOENT { return nil }
        let file = try checked(opened, path: path(of: name))
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= maximum {
            let count = readRetrying(file, &chunk)
            guard count >= 0 else { throw .system(path: path(of: name), code: errno) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// Replaces a file atomically, and returns when the disk has stored it.
    func replace(_ name: String, with bytes: [UInt8]) throws(StoreProblem) {
        let draft = "\(name).new"
        // A draft that a killed process left behind.
        unlinkat(descriptor, draft, 0)
        let file = openat(descriptor, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system(path: path(of: draft), code: errno) }
        let isWritten = writeAll(file, bytes) && synchronize(file)
        let code = errno
        close(file)
        guard isWritten else {
            unlinkat(descriptor, draft, 0)
            throw .system(path: path(of: draft), code: code)
        }
        try rename(draft, to: name)
    }

    /// Removes a file. Idempotent: a missing file counts as removed.
    func remove(_ name: String) throws(StoreProblem) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT, fsync(descriptor) == 0 else {
            throw .system(path: path(of: name), code: errno)
        }
    }

    /// Renames a file to the first free name of the form `NAME.damaged-1`.
    ///
    /// - Returns: The new path.
    func setAside(_ name: String) throws(StoreProblem) -> String {
        let newName = Self.nameSetAside(name, setAsideCount(name) + 1)
        try rename(name, to: newName)
        return path(of: newName)
    }

    /// Returns the number of files that ``setAside(_:)`` has renamed and that still exist, up to the first free name.
    func setAsideCount(_ name: String) -> Int {
        var count = 0
        while faccessat(descriptor, Self.nameSetAside(name, count + 1), F_OK, AT_SYMLINK_NOFOLLOW) == 0 { count += 1 }
        return count
    }

    static func nameSetAside(_ name: String, _ number: Int) -> String { "\(name).damaged-\(number)" }

    /// Opens a file for locking, and creates it if it is missing.
    func openLockFile(_ name: String) throws(StoreProblem) -> CInt {
        try checked(
            openat(descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600),
            path: path(of: name))
    }

    private func rename(_ name: String, to newName: String) throws(StoreProblem) {
        guard renameat(descriptor, name, descriptor, newName) == 0, fsync(descriptor) == 0 else {
            throw .system(path: path(of: newName), code: errno)
        }
    }
}

/// Returns an open descriptor if its file is private to the user, and closes it otherwise.
///
/// - Throws: ``StoreProblem/notPrivate(path:)`` if the file belongs to another user, has permissions for others, has
///   more than one hard link, or is neither a file nor a directory; ``StoreProblem/system(path:code:)`` if opening it
///   failed.
private func checked(_ descriptor: CInt, path: String) throws(StoreProblem) -> CInt {
    guard descriptor >= 0 else { throw .system(path: path, code: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
        let code = errno
        close(descriptor)
        throw .system(path: path, code: code)
    }
    let isDirectory = status.st_mode & S_IFMT == S_IFDIR
    let isSingleFile = status.st_mode & S_IFMT == S_IFREG && status.st_nlink == 1
    guard isDirectory || isSingleFile, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
        close(descriptor)
        throw .notPrivate(path: path)
    }
    return descriptor
}

private func readRetrying(_ file: CInt, _ chunk: inout [UInt8]) -> Int {
    while true {
        let count = read(file, &chunk, chunk.count)
        if count >= 0 || errno != EINTR { return count }
    }
}

private func writeAll(_ file: CInt, _ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        if count < 0 && errno != EINTR { return false }
        rest = rest.dropFirst(max(0, count))
    }
    return true
}

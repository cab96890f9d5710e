#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The files that a configuration consists of. Reading a pipe or a device may wait forever, and a reload with it.
enum RegularFile {
    /// Returns `true` if this user may read the file at `path`. A symbolic link is followed.
    static func isReadable(_ path: String) -> Bool { exists(path) && access(path, R_OK) == 0 }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}

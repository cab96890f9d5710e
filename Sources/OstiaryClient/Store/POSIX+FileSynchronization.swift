import Foundation

// Foundation re-exports the system's library, here and in the other files; the shim of Darwin must be imported by name.
#if canImport(Darwin)
import Darwin
#endif

/// Flushes a file to disk, and returns after the disk has stored it. On Darwin `fsync` alone returns once the data is
/// in the drive's cache.
///
/// `Apple/Darwin` compiles this file as well, so it depends on nothing else of this module.
///
/// - Returns: `false` if the file cannot be flushed; the reason is in `errno`.
///
/// Source: fsync(2) of macOS.
func synchronize(_ file: CInt) -> Bool {
    #if canImport(Darwin)
    fcntl(file, F_FULLFSYNC) == 0 || fsync(file) == 0
    #else
    fsync(file) == 0
    #endif
}

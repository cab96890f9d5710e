import Foundation

// Foundation brings the system's library along, here and in the other files; the stand-in for Darwin has to be named.
#if canImport(Darwin)
import Darwin
#endif

/// Returns after the disk has stored the file. On Darwin `fsync` alone returns once the drive's cache has it.
///
/// Compiled by `Apple/Darwin` as well, and therefore in a file that needs nothing else of this module.
///
/// Source: fsync(2) of macOS.
func synchronize(_ file: CInt) -> Bool {
    #if canImport(Darwin)
    fcntl(file, F_FULLFSYNC) == 0 || fsync(file) == 0
    #else
    fsync(file) == 0
    #endif
}

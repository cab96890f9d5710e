import CProcess
import Foundation

/// Reads what is known of a database file without opening it as a database, which only one process may do.
package enum DatabaseFileProbe {
    package static func facts(path: String) -> DatabaseFileFacts {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return DatabaseFileFacts(
            path: path, content: content(path), fileSystem: fileSystem(of: directory), logBytes: size("\(path)-wal"))
    }

    private static func size(_ path: String) -> Int {
        var information = stat()
        return stat(path, &information) == 0 ? Int(information.st_size) : 0
    }

    /// Source: https://www.sqlite.org/fileformat2.html §1.3: the format versions in bytes 18 and 19 are 2 for a database
    /// with a write-ahead log.
    private static func content(_ path: String) -> DatabaseFileFacts.Content {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno == ENOENT ? .missing : .unreadable }
        defer { close(descriptor) }
        var header = [UInt8](repeating: 0, count: 100)
        guard read(descriptor, &header, header.count) == header.count,
            header.starts(with: Array("SQLite format 3\0".utf8))
        else { return .notSQLite }
        return .sqlite(hasWriteAheadLog: header[18] == 2 && header[19] == 2)
    }

    private static func fileSystem(of directory: String) -> DatabaseFileFacts.FileSystem {
        #if os(Linux)
        // Source: statfs(2).
        switch UInt32(truncatingIfNeeded: cprocess_file_system(directory)) {
        case 0x6969: return .network("NFS")
        case 0x517B, 0xFE53_4D42, 0xFF53_4D42: return .network("SMB")
        case 0x0102_1997: return .network("9P")
        case 0x0102_1994, 0x8584_58F6: return .memory
        case 0x794C_7630: return .overlay
        default: return .other
        }
        #else
        return .other
        #endif
    }
}

import CoreFoundation
import Foundation
import OstiaryEngine

/// A new file for its owner alone, published atomically when it is complete. It replaces no other file.
final class PrivateFile: Sendable {
    private let path: String
    private let draft: String
    private let descriptor: Int32

    /// - Parameter mode: The permissions; by default the owner's alone.
    /// - Throws: ``AdministrationProblem`` if there is a file of that name, or none can be created.
    init(path: String, mode: mode_t = 0o600) throws {
        self.path = path
        draft = "\(path).\(ProcessInfo.processInfo.processIdentifier).part"
        var information = stat()
        guard lstat(path, &information) != 0 else { throw AdministrationProblem("\(path) is there already") }
        descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // Without regard to the process's mask.
        guard descriptor >= 0, fchmod(descriptor, mode) == 0 else { throw Self.problem(path) }
    }

    /// Removes the draft: without ``publish()`` nothing remains.
    deinit {
        close(descriptor)
        unlink(draft)
    }

    func write(_ text: String) throws { try write(Data(text.utf8)) }

    func write(_ bytes: Data) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw Self.problem(path)
            }
        }
    }

    func publish() throws {
        guard fsync(descriptor) == 0 else { throw Self.problem(path) }
        // A link, because renaming would replace a file that was created in the meantime.
        if link(draft, path) == 0 { return }
        guard errno != EEXIST else { throw AdministrationProblem("\(path) is there already") }
        // Some file systems have no hard links.
        guard rename(draft, path) == 0 else { throw Self.problem(path) }
    }

    private static func problem(_ path: String) -> AdministrationProblem {
        AdministrationProblem("\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}

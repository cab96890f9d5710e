import Foundation

/// Why a store cannot be read or written.
public enum TokenStoreProblem: Error, Hashable, Sendable {
    /// Another user could read or change what is at `path`.
    case notPrivate(path: String)
    /// What was stored cannot be understood; it is now at `path`.
    case damaged(setAside: String)
    /// A newer version of this program wrote what is stored.
    case newerVersion
    /// Another process has the store and does not give it back.
    case busy
    /// The system refused, with its error number.
    case system(path: String, code: Int32)
}

extension TokenStoreProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notPrivate(let path):
            "\(path) must belong to you and be closed to everyone else (mode 0700 for a directory, 0600 for a file)."
        case .damaged(let path): "The stored session cannot be read. It was moved to \(path)."
        case .newerVersion: "The stored session was written by a newer version of this program."
        case .busy: "Another process is using the stored session."
        case .system(let path, let code): "\(path): \(String(cString: strerror(code)))."
        }
    }
}

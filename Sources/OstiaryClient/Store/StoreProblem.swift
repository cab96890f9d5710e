import Foundation

/// The reason for which a store cannot be read or written.
public enum StoreProblem: Error, Hashable, Sendable {
    /// Another user could read or change the file or directory at `path`.
    case notPrivate(path: String)
    /// The stored data cannot be parsed; it has been moved to the path `setAside`.
    case damaged(setAside: String)
    /// The stored data was written by a newer version of this program.
    case newerVersion
    /// Another process holds the store's lock for too long, or the waiting task was cancelled.
    case busy
    /// A system call failed, with its error number.
    case system(path: String, code: Int32)
    /// The key that seals the stored data cannot be obtained from the source of that name. The stored data is
    /// unchanged.
    case sealingKey(SealingKeyProblem, source: String)
    /// The keychain of an Apple platform returned an error, with its `OSStatus`.
    case keychain(status: Int32)
    /// The stored data could only be opened with the biometric enrolment of the time it was stored, and the enrolment
    /// has changed. The data is lost and has been moved aside.
    case enrolmentChanged
}

/// The reason for which a sealing key cannot be obtained.
public enum SealingKeyProblem: Hashable, Sendable {
    /// The key exists, and its source is locked.
    case locked
    /// The source of the key cannot be reached.
    case unreachable
    /// The source holds no key.
    case missing
    /// The source holds another key than the one that sealed the stored data.
    case different
    /// The stored value is no key of 32 bytes in base64.
    case malformed
}

extension StoreProblem: CustomStringConvertible {
    /// A sentence for the user or a log, without secrets.
    public var description: String {
        switch self {
        case .notPrivate(let path):
            "\(path) must belong to you and be closed to everyone else (mode 0700 for a directory, 0600 for a file)."
        case .damaged(let path): "The stored session cannot be read. It was moved to \(path)."
        case .newerVersion: "The stored session was written by a newer version of this program."
        case .busy: "Another process is using the stored session."
        case .system(let path, let code): "\(path): \(String(cString: strerror(code)))."
        case .sealingKey(let problem, let source): "The stored session's key (\(source)) \(problem)."
        case .keychain(status: -25308): "The keychain is locked."
        case .keychain(status: -34018):
            """
            The keychain does not know this app (-34018): it is not signed with the entitlement keychain-access-groups, \
            or asks for an access group that is not in it. In Xcode, add the capability Keychain Sharing.
            """
        case .keychain(let status): "The keychain refused (OSStatus \(status))."
        case .enrolmentChanged: "The device knows other faces or fingers than when the session was stored."
        }
    }
}

extension SealingKeyProblem: CustomStringConvertible {
    /// A predicate that completes the sentence in ``StoreProblem``.
    public var description: String {
        switch self {
        case .locked: "is locked"
        case .unreachable: "cannot be reached"
        case .missing: "is not there"
        case .different: "is another than the one it was stored with"
        case .malformed: "is not 32 bytes in base64"
        }
    }
}

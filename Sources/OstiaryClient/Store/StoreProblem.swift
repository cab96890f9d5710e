import Foundation

/// Why a store cannot be read or written.
public enum StoreProblem: Error, Hashable, Sendable {
    /// Another user could read or change what is at `path`.
    case notPrivate(path: String)
    /// What was stored cannot be understood; it is now at `path`.
    case damaged(setAside: String)
    /// A newer version of this program wrote what is stored.
    case newerVersion
    /// Another process has the store and does not give it back, or the task that waited was cancelled.
    case busy
    /// The system refused, with its error number.
    case system(path: String, code: Int32)
    /// The key that seals what is stored cannot be had from the source of that name. What is stored is as it was.
    case sealingKey(SealingKeyProblem, source: String)
    /// The keychain of an Apple platform refused, with its status.
    case keychain(status: Int32)
    /// What was stored could be opened by the faces or fingers alone that the device knew then, and it knows others now. It
    /// is lost, and has been moved away.
    case enrolmentChanged
}

/// Why a key for sealing cannot be had.
public enum SealingKeyProblem: Hashable, Sendable {
    /// It is there, and nobody has unlocked it.
    case locked
    /// Where it would be cannot be asked.
    case unreachable
    /// There is none.
    case missing
    /// There is another one than what is stored was sealed with.
    case different
    /// What is there is no key.
    case malformed
}

extension StoreProblem: CustomStringConvertible {
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

public import OstiaryCore

/// Why a request never became an operation.
public enum WireRefusal: Error, Hashable, Sendable {
    case unknownPath
    /// The path exists, for these methods.
    case wrongMethod(allowed: [String])
    case bodyTooLarge
    /// The body is of a type other than `application/json` in UTF-8.
    case unsupportedMediaType
    /// The operation can be told, but not what it needs.
    case refused(AuthError)
}

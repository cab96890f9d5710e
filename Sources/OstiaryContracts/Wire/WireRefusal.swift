public import OstiaryCore

/// The reason for which a request could not be read as an operation.
public enum WireRefusal: Error, Hashable, Sendable {
    /// No operation has the path.
    case unknownPath
    /// The path exists, but only for the listed methods.
    case wrongMethod(allowed: [String])
    /// The body exceeds the server's limit.
    case bodyTooLarge
    /// The body has a media type other than `application/json` in UTF-8.
    case unsupportedMediaType
    /// The operation is known, but its parameters or its access token are missing or not acceptable.
    case refused(AuthError)
}

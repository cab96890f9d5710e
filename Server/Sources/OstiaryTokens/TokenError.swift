package import OstiaryEngine

/// Why a token cannot be made or checked at all. Names keys, never their bytes.
package enum TokenError: Error, Hashable, Sendable, CustomStringConvertible {
    case secretTooShort(minimumBytes: Int)
    /// The key in use cannot be opened or is damaged.
    case signingKeyUnusable(app: AppName, kid: String)
    case noSigningKey(app: AppName)
    /// The claims are too long for a token that would still be read.
    case tokenTooLong
    /// A time beyond what a token can say.
    case timeOutOfRange

    package var description: String {
        switch self {
        case .secretTooShort(let minimumBytes):
            "the secret that signs tokens needs \(minimumBytes) bytes or more"
        case .signingKeyUnusable(let app, let kid):
            "the signing key \(kid) of \(app) cannot be opened: is encryption_key the one it was stored with?"
        case .noSigningKey(let app): "there is no signing key for \(app)"
        case .tokenTooLong: "the token would be longer than \(CompactToken.maximumBytes) bytes"
        case .timeOutOfRange: "a time is out of range"
        }
    }
}

package import OstiaryEngine

/// A reason that a token cannot be issued or verified at all. Names key ids, never key bytes.
package enum TokenError: Error, Hashable, Sendable, CustomStringConvertible {
    case secretTooShort(minimumBytes: Int)
    /// The current key cannot be decrypted or is damaged.
    case signingKeyUnusable(app: AppName, kid: String)
    case noSigningKey(app: AppName)
    /// The claims would make a token longer than the readers' limit.
    case tokenTooLong
    /// A time outside the range of a numeric date.
    case timeOutOfRange

    package var description: String {
        switch self {
        case .secretTooShort(let minimumBytes):
            "the secret that signs tokens needs \(minimumBytes) bytes or more"
        case .signingKeyUnusable(let app, let kid):
            "the signing key \(kid) of \(app) cannot be decrypted: is encryption_key the one it was stored with?"
        case .noSigningKey(let app): "there is no signing key for \(app)"
        case .tokenTooLong: "the token would be longer than \(CompactToken.maximumBytes) bytes"
        case .timeOutOfRange: "a time is out of range"
        }
    }
}

import Foundation

#if canImport(CryptoKit)
public import CryptoKit
#else
public import Crypto
#endif

/// The keys that are derived from the configured `encryption_key`, one for each use, so that none serves two.
///
/// Source: RFC 5869 (HKDF).
public struct KeyRing: Sendable {
    private let master: SymmetricKey

    /// - Parameter master: 32 bytes.
    public init(master: SymmetricKey) { self.master = master }

    /// What a key is for. The raw value is part of the derivation and never changes.
    public enum Purpose: String, Sendable {
        case refreshTokens = "refresh-tokens"
        case codes = "one-time-codes"
        case recipients = "recipients"
        case attempts = "attempts"
        case resetTokens = "reset-tokens"
        case registrations = "registrations"
        case outbox = "outbox"
        case signingKeys = "signing-keys"
        /// What a sign-in in a browser makes of its state: the ticket's hash, the nonce, the code verifier.
        case browserSignIns = "browser-sign-ins"
        /// What is kept with a session: an authority's tokens, a client's grant.
        case attachments = "session-attachments"
        /// What a next step has to remember until it is answered.
        case challenges = "challenges"
        /// What a form of a page proves.
        case forms = "forms"
        /// What a session signs its requests with, and what is kept of their nonces.
        case requestSigning = "request-signing"
        /// What the built-in provider gives to clients.
        case provider = "provider"
        /// What keeps a browser signed in at the built-in provider.
        case browserSessions = "browser-sessions"
    }

    public func key(for purpose: Purpose, app: AppName? = nil) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: master, info: Data("ostiary/\(purpose.rawValue)/\(app?.text ?? "")".utf8),
            outputByteCount: 32)
    }

    /// A keyed hash. Parts are length-prefixed, so that no two lists of parts give the same input.
    public func digest(_ parts: [String], for purpose: Purpose, app: AppName?) -> [UInt8] {
        var hmac = HMAC<SHA256>(key: key(for: purpose, app: app))
        for part in parts {
            hmac.update(data: Data("\(part.utf8.count):\(part)".utf8))
        }
        return Array(hmac.finalize())
    }

    /// Encrypts with AES-256-GCM under a fresh nonce. `context` must be the same when opening.
    public func seal(_ plain: [UInt8], for purpose: Purpose, context: String) throws -> [UInt8] {
        let box = try AES.GCM.seal(plain, using: key(for: purpose), authenticating: Data(context.utf8))
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return Array(combined)
    }

    /// - Throws: If the key is another one, or the bytes or the context were altered.
    public func open(_ sealed: [UInt8], for purpose: Purpose, context: String) throws -> [UInt8] {
        let box = try AES.GCM.SealedBox(combined: sealed)
        return Array(try AES.GCM.open(box, using: key(for: purpose), authenticating: Data(context.utf8)))
    }
}

/// Compares without telling by its duration where two secrets differ.
public func constantTimeEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}

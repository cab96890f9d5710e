import Foundation

#if canImport(CryptoKit)
public import CryptoKit
#else
public import Crypto
#endif

/// The keys derived from the configured encryption keys, one for each purpose, so no key serves two.
///
/// Values are sealed with the newest encryption key, and opened with any of them. Hashes and tokens are derived from one further
/// key, the store's own, which a change of the encryption key leaves as it is: they could not be computed again.
///
/// Source: RFC 5869 (HKDF).
public struct KeyRing: Sendable {
    /// The encryption keys, the newest first.
    let masters: [SymmetricKey]
    private let sealing: [DerivedKeys]
    private let derivation: DerivedKeys

    /// Creates a key ring with one key for everything.
    ///
    /// - Parameter master: The configured key, 32 bytes.
    public init(master: SymmetricKey) { self.init(master: master, earlier: [], derivation: master) }

    /// Creates a key ring.
    ///
    /// - Parameters:
    ///   - master: The encryption key that seals, 32 bytes.
    ///   - earlier: The encryption keys that open only, the newest first.
    ///   - derivation: The key that hashes and tokens are derived from.
    public init(master: SymmetricKey, earlier: [SymmetricKey], derivation: SymmetricKey) {
        masters = [master] + earlier
        sealing = masters.map { DerivedKeys(of: $0) }
        self.derivation = DerivedKeys(of: derivation)
    }

    /// The purpose of a key. The raw value is part of the derivation and never changes.
    public enum Purpose: String, Sendable {
        /// Authenticates opaque refresh tokens.
        case refreshTokens = "refresh-tokens"
        /// Hashes one-time codes and tags code sessions.
        case codes = "one-time-codes"
        /// Hashes phone numbers and addresses that messages are sent to.
        case recipients = "recipients"
        /// Hashes the subjects of counted attempts.
        case attempts = "attempts"
        /// Hashes password reset tokens.
        case resetTokens = "reset-tokens"
        /// Seals registrations until they are confirmed.
        case registrations = "registrations"
        /// Seals queued messages.
        case outbox = "outbox"
        /// Seals the private parts of signing keys.
        case signingKeys = "signing-keys"
        /// Derives a browser sign-in's values from its state: the hash of its single-use record, the nonce, the code
        /// verifier.
        case browserSignIns = "browser-sign-ins"
        /// Seals session attachments: an external credential provider's tokens, a client's grant.
        case attachments = "session-attachments"
        /// Seals the state of a sign-in until its next step is answered.
        case challenges = "challenges"
        /// Seals the secrets of factors and what the undo of their changes needs, and hashes the ids of pending ones.
        case factors
        /// Hashes recovery codes.
        case recoveryCodes = "recovery-codes"
        /// Hashes the secrets of recognized devices, and the credentials for which a device is remembered.
        case rememberedDevices = "remembered-devices"
        /// Authenticates the challenges of computations, and hashes those that were redeemed.
        case proofOfWork = "proof-of-work"
        /// Seals the history of sign-ins and the records of links that deny one, and hashes the passwords and tokens in them.
        case signInHistory = "sign-in-history"
        /// Seals the tokens of device links, and hashes their ids.
        case deviceLinks = "device-links"
        /// Derives the anti-forgery values of the forms of the server's pages.
        case forms = "forms"
        /// Derives the keys that sessions sign their requests with, and hashes the requests' nonces.
        case requestSigning = "request-signing"
        /// Derives the nonces of proofs of possession, and hashes the proofs' identifiers.
        case dpop
        /// Derives client secrets of the built-in provider, and hashes its secrets and authorization codes.
        case provider = "provider"
        /// Derives the ids of linked identities.
        case identities = "identity-ids"
        /// Seals the cursors of lists that contain identifiers.
        case cursors = "list-cursors"
        /// Encrypts the tokens that keep a browser signed in at the built-in provider.
        case browserSessions = "browser-sessions"
        /// Hashes the secrets of service keys.
        case serviceKeys = "service-keys"
        /// Hashes requests that may be repeated, and seals their answers.
        case idempotency
        /// Seals the secrets that sign events for other systems.
        case eventEndpoints = "event-endpoints"
        /// Encrypts the tokens and the unfinished sign-ins of the operator's console.
        case consoleSessions = "console-sessions"
        /// Seals the store's own keys.
        case storeKeys = "store-keys"
        /// Seals the tokens of requests by which an operator diagnoses a deployment.
        case diagnosis
    }

    /// Returns the key that tokens and hashes of a purpose, and of an app if one is given, are made with: 32 bytes, by
    /// HKDF-SHA256.
    public func key(for purpose: Purpose, app: AppName? = nil) -> SymmetricKey {
        derivation.key(for: purpose, app: app)
    }

    /// Returns a keyed hash, HMAC-SHA256, of the parts as `hashInput(of:)` joins them.
    public func digest(_ parts: [String], for purpose: Purpose, app: AppName?) -> [UInt8] {
        var hmac = derivation.authentication(for: purpose, app: app)
        hmac.update(data: Self.hashInput(of: parts))
        return Array(hmac.finalize())
    }

    /// Returns the parts with their lengths before them, so no two lists of parts give the same input of a hash.
    static func hashInput(of parts: [String]) -> [UInt8] {
        var input: [UInt8] = []
        for part in parts {
            input.append(contentsOf: "\(part.utf8.count):".utf8)
            input.append(contentsOf: part.utf8)
        }
        return input
    }

    /// Encrypts with AES-256-GCM under a fresh nonce. `context` is authenticated and must be the same for
    /// ``open(_:for:context:)``.
    ///
    /// - Returns: The nonce, the ciphertext and the tag.
    /// - Throws: If encryption fails.
    public func seal(_ plain: [UInt8], for purpose: Purpose, context: String) throws -> [UInt8] {
        let key = sealing[0].key(for: purpose)
        let box = try AES.GCM.seal(plain, using: key, authenticating: Data(context.utf8))
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return Array(combined)
    }

    /// Decrypts bytes that ``seal(_:for:context:)`` returned, with whichever encryption key sealed them.
    ///
    /// - Throws: If none of the keys did, or the bytes or the context were altered.
    public func open(_ sealed: [UInt8], for purpose: Purpose, context: String) throws -> [UInt8] {
        try opened(sealed, for: purpose, context: context).plain
    }

    /// Decrypts bytes, and returns the number of the encryption key that sealed them: 0 for the newest.
    func opened(_ sealed: [UInt8], for purpose: Purpose, context: String) throws -> (plain: [UInt8], key: Int) {
        let box = try AES.GCM.SealedBox(combined: sealed)
        var failure: any Error = CryptoKitError.authenticationFailure
        for (number, derived) in sealing.enumerated() {
            let key = derived.key(for: purpose)
            do { return (Array(try AES.GCM.open(box, using: key, authenticating: Data(context.utf8))), number) } catch {
                failure = error
            }
        }
        throw failure
    }
}

/// Compares two secrets in a time that does not depend on the position of a difference; different lengths return early.
public func constantTimeEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}

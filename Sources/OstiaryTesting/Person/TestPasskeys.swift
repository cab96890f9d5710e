import Foundation
public import OstiaryClient
import OstiaryCore
import Synchronization

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The passkeys of a person on one device, for tests: creates real keys and signs with them. Source: WebAuthn Level 3 §6.
public final class TestPasskeys: PasskeyAutoFillProvider {
    private struct Passkey {
        var id: [UInt8]
        var userHandle: [UInt8]
        var relyingPartyID: String
        var key: P256.Signing.PrivateKey
    }

    private struct State {
        var passkeys: [Passkey] = []
        var signCount: UInt32 = 0
    }

    private struct Suggestions {
        var count = 0
        var waiting: [Int] = []
        var chosen: Int?
    }

    private let state = Mutex(State())
    private let suggestions = Watched(Suggestions())
    private let origin: String
    private let isBackupEligible: Bool

    /// Creates a device without passkeys.
    ///
    /// - Parameters:
    ///   - origin: The origin that the client reports.
    ///   - isBackupEligible: `true` for passkeys that are synchronized between devices, whose signature counter stays 0.
    public init(origin: String = "https://example.com", isBackupEligible: Bool = true) {
        self.origin = origin
        self.isBackupEligible = isBackupEligible
    }

    /// The number of passkeys on the device.
    public var count: Int { state.withLock { $0.passkeys.count } }

    /// Sets the signature counter, as on a copy of the authenticator that was made earlier.
    public func setSignCount(_ signCount: UInt32) { state.withLock { $0.signCount = signCount } }

    /// Creates a passkey.
    ///
    /// - Throws: `ClientError.passkeyExists` if the device has a passkey that the options exclude.
    public func register(_ options: PasskeyRegistrationOptions) async throws(ClientError) -> PasskeyRegistration {
        let excluded = Set(options.excludedCredentials.map { Array($0) })
        let key = P256.Signing.PrivateKey()
        let id = Array(SHA256.hash(data: key.publicKey.rawRepresentation))
        let signCount: UInt32? = state.withLock { state in
            guard !state.passkeys.contains(where: { excluded.contains($0.id) }) else { return nil }
            state.passkeys.append(
                Passkey(
                    id: id, userHandle: Array(options.userID), relyingPartyID: options.relyingPartyID, key: key))
            return next(&state)
        }
        guard let signCount else { throw .passkeyExists }
        let point = Array(key.publicKey.rawRepresentation)
        // A map of kty EC2, alg ES256, crv P-256, x and y. Source: RFC 9053 §7.1.1.
        let publicKey: [UInt8] =
            [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point.prefix(32) + [0x22, 0x58, 0x20]
            + point.suffix(32)
        let attested = [UInt8](repeating: 0, count: 16) + [0x00, UInt8(id.count)] + id + publicKey
        let data = authenticatorData(options.relyingPartyID, attested: attested, signCount)
        // A map of fmt "none", attStmt {} and authData, whose length of 164 takes one byte. Source: RFC 8949 §3.
        let attestation: [UInt8] =
            [0xA3, 0x63] + Array("fmt".utf8) + [0x64] + Array("none".utf8) + [0x67] + Array("attStmt".utf8) + [
                0xA0, 0x68,
            ]
            + Array("authData".utf8) + [0x58, UInt8(data.count)] + data
        return PasskeyRegistration(
            credentialID: Data(id), clientDataJSON: clientData("webauthn.create", options.challenge),
            attestationObject: Data(attestation))
    }

    /// Signs a challenge with the newest passkey that the options accept.
    ///
    /// - Throws: `ClientError.cancelledByUser` if the device has none.
    public func assert(_ options: PasskeyAssertionOptions) async throws(ClientError) -> PasskeyAssertion {
        let allowed = Set(options.allowedCredentials.map { Array($0) })
        let chosen: (Passkey, UInt32)? = state.withLock { state in
            let accepted = state.passkeys.last { passkey in
                passkey.relyingPartyID.utf8.elementsEqual(options.relyingPartyID.utf8)
                    && (allowed.isEmpty || allowed.contains(passkey.id))
            }
            return accepted.map { ($0, next(&state)) }
        }
        guard let (passkey, signCount) = chosen else { throw .cancelledByUser }
        let data = authenticatorData(passkey.relyingPartyID, attested: nil, signCount)
        let clientData = clientData("webauthn.get", options.challenge)
        let message = data + SHA256.hash(data: clientData)
        guard let signature = try? passkey.key.signature(for: SHA256.hash(data: message)) else {
            throw .invalidResponse
        }
        return PasskeyAssertion(
            credentialID: Data(passkey.id), clientDataJSON: clientData, authenticatorData: Data(data),
            signature: signature.derRepresentation, userHandle: Data(passkey.userHandle))
    }

    // MARK: Suggestions while the person types

    /// The number of requests whose passkeys were suggested.
    public var suggestionCount: Int { suggestions.value.count }

    /// Suggests the passkeys that the options accept, until ``chooseSuggestion()``.
    ///
    /// - Throws: `ClientError.cancelled` if the task is cancelled, `ClientError.cancelledByUser` if the device has none.
    public func assertSuggested(_ options: PasskeyAssertionOptions) async throws(ClientError) -> PasskeyAssertion {
        let number = suggestions.change { suggestions in
            suggestions.count += 1
            suggestions.waiting.append(suggestions.count)
            return suggestions.count
        }
        defer { suggestions.change { $0.waiting.removeAll { $0 == number } } }
        do { try await suggestions.wait { $0.chosen == number } } catch { throw .cancelled }
        return try await assert(options)
    }

    /// Waits until passkeys are suggested, and chooses one.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func chooseSuggestion() async throws(CancellationError) {
        try await suggestions.wait { suggestions in
            guard let newest = suggestions.waiting.last else { return false }
            suggestions.chosen = newest
            return true
        }
        // Other waiters look at the choice.
        suggestions.change { _ in }
    }

    /// Waits until passkeys were suggested `count` times, counted from the beginning.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func suggestions(_ count: Int) async throws(CancellationError) {
        try await suggestions.wait { $0.count >= count }
    }

    private func next(_ state: inout State) -> UInt32 {
        if isBackupEligible { return state.signCount }
        state.signCount += 1
        return state.signCount
    }

    private func clientData(_ type: String, _ challenge: Data) -> Data {
        // The members need no escapes: an origin, base64url and a constant.
        Data(
            """
            {"type":"\(type)","challenge":"\(Base64URL.encode(challenge))","origin":"\(origin)","crossOrigin":false}
            """.utf8)
    }

    private func authenticatorData(_ relyingPartyID: String, attested: [UInt8]?, _ signCount: UInt32) -> [UInt8] {
        // UP and UV; BE and BS; AT.
        let flags: UInt8 = 0x05 | (isBackupEligible ? 0x18 : 0) | (attested == nil ? 0 : 0x40)
        let count = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: signCount >> UInt32($0)) }
        return Array(SHA256.hash(data: Data(relyingPartyID.utf8))) + [flags] + count + (attested ?? [])
    }
}

public import Foundation
public import OstiaryClient
import OstiaryWebAuthn
import Synchronization

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// An App Attest service in software, for tests, and for simulators with a server that only monitors.
///
/// It has a root authority of its own, which the server must be told to trust: ``rootCertificate``. Everybody can make keys with
/// it, so that a server in production must never trust it.
public final class SoftwareAppAttestService: AppAttestService {
    private struct Key {
        let key: P256.Signing.PrivateKey
        var counter: UInt32 = 0
        var isAttested = false
    }

    private struct State {
        var keys: [[UInt8]: Key] = [:]
        var failure: AppAttestFailure?
        var attestations = 0
    }

    private let state = Mutex(State())
    private let authority: TestAppAttestAuthority
    /// The App ID: the team's id, a full stop, and a bundle id.
    public let appID: String
    /// `true` for keys of the production environment.
    public let isProduction: Bool
    private let now: @Sendable () -> Date

    /// Creates a service with a root authority and no keys.
    ///
    /// - Parameters:
    ///   - appID: The App ID: the team's id, a full stop, and a bundle id.
    ///   - isProduction: `true` for keys of the production environment.
    ///   - now: Returns the time at which certificates are issued.
    public init(
        appID: String = "ABCDE12345.com.example.app", isProduction: Bool = true,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.appID = appID
        self.isProduction = isProduction
        self.now = now
        authority = TestAppAttestAuthority(at: now())
    }

    /// The certificate of the root authority in PEM; empty if it cannot be made.
    public var rootCertificate: String {
        (try? authority.rootCertificate()).map { TestAppAttestAuthority.pem($0) } ?? ""
    }

    /// `true`: software supports every device.
    public var isSupported: Bool { true }

    /// The number of attestations so far.
    public var attestationCount: Int { state.withLock { $0.attestations } }

    /// Deletes all keys, as the removal of the app does.
    public func removeKeys() { state.withLock { $0.keys = [:] } }

    /// Makes every call fail; nil to let them succeed again.
    public func fail(with failure: AppAttestFailure?) { state.withLock { $0.failure = failure } }

    /// Creates a key.
    ///
    /// - Throws: The failure of ``fail(with:)``.
    public func generateKey() async throws(AppAttestFailure) -> [UInt8] {
        let key = P256.Signing.PrivateKey()
        let id = Array(SHA256.hash(data: Array(key.publicKey.x963Representation)))
        try change { $0.keys[id] = Key(key: key) }
        return id
    }

    /// Attests a key that was not attested before.
    ///
    /// - Throws: ``OstiaryClient/AppAttestFailure/invalidKey`` for an unknown or attested key, and the failure of
    ///   ``fail(with:)``.
    public func attestKey(_ keyID: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestFailure) -> [UInt8] {
        let key = try change { state -> P256.Signing.PrivateKey? in
            guard let key = state.keys[keyID], !key.isAttested else { return nil }
            state.keys[keyID]?.isAttested = true
            state.attestations += 1
            return key.key
        }
        guard let key else { throw .invalidKey }
        let attestation = TestAttestation(
            of: key.publicKey, appID: appID, environment: isProduction ? .production : .development,
            clientDataHash: clientDataHash, by: authority,
            at: now())
        do { return try attestation.encoded() } catch { throw .failed }
    }

    /// Signs a request with an attested key.
    ///
    /// - Throws: ``OstiaryClient/AppAttestFailure/invalidKey`` for an unknown key, and the failure of ``fail(with:)``.
    public func generateAssertion(_ keyID: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestFailure) -> [UInt8] {
        let key = try change { state -> Key? in
            guard let key = state.keys[keyID], key.isAttested else { return nil }
            state.keys[keyID]?.counter += 1
            return state.keys[keyID]
        }
        guard let key else { throw .invalidKey }
        let assertion = TestAssertion(appID: appID, counter: key.counter, clientDataHash: clientDataHash)
        do { return try assertion.encoded(by: key.key) } catch { throw .failed }
    }

    private func change<Value: Sendable>(_ body: (inout State) -> Value) throws(AppAttestFailure) -> Value {
        let result: Result<Value, AppAttestFailure> = state.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            return .success(body(&state))
        }
        return try result.get()
    }
}

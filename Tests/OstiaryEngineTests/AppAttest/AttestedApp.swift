import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A world whose app has App Attest, and the device of a person.
struct AttestedApp: Sendable {
    let world: World
    let device: SoftwareAppAttestService

    init(
        _ mode: AppAttestSettings.Mode = .required, _ change: (inout AppSettings) -> Void = { _ in }
    ) throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let device = SoftwareAppAttestService(now: { now })
        self.device = device
        world = try World.vici { app in
            app.appAttest = AppAttestSettings(
                mode: mode, appIDs: ["ABCDE12345.com.example.app"], environment: .production,
                rootCertificate: device.rootCertificate)
            change(&app)
        }
    }

    /// The same server with other settings.
    init(_ other: AttestedApp, mode: AppAttestSettings.Mode?) throws {
        device = other.device
        world = try World("vici", .vici, sharing: other.world) { app in
            app.appAttest = mode.flatMap {
                AppAttestSettings(
                    mode: $0, appIDs: ["ABCDE12345.com.example.app"], environment: .production,
                    rootCertificate: other.device.rootCertificate)
            }
        }
    }

    var engine: AuthEngine { world.engine }
    var store: WatchedStore { world.store }

    func challenge() async throws -> String { try await engine.perform(BeginAttestation()).challenge }

    /// Attests a new key, and returns its id.
    func attestedKey() async throws -> [UInt8] {
        let key = try await device.generateKey()
        _ = try await engine.perform(attestation(of: key, challenge: challenge()))
        return key
    }

    func attestation(of key: [UInt8], challenge: String) async throws -> AttestKey {
        let hash = Array(SHA256.hash(data: Base64URL.decode(challenge.utf8) ?? []))
        let attestation = try await device.attestKey(key, clientDataHash: hash)
        return AttestKey(
            keyID: Base64URL.encode(key), attestation: Base64URL.encode(attestation), challenge: challenge)
    }

    static let clientData = Array("POST\n/vici/auth/login\nabc".utf8)

    /// Returns the engine for a request with an assertion of a key.
    func presenting(
        _ key: [UInt8], of clientData: [UInt8] = clientData, for other: [UInt8]? = nil, network: String? = nil
    ) async throws -> AuthEngine {
        let hash = Array(SHA256.hash(data: clientData))
        return engine.serving(
            Caller(
                network: network,
                appAssertion: PresentedAppAssertion(
                    keyID: key, assertion: try await device.generateAssertion(key, clientDataHash: hash),
                    clientData: other ?? clientData)))
    }

    func counts() -> [String: Int] {
        let counts = engine.ports.operationCounts.counts.filter { $0.key.series == .appAttest }
        return Dictionary(uniqueKeysWithValues: counts.map { ("\($0.key.method) \($0.key.outcome)", $0.value) })
    }
}

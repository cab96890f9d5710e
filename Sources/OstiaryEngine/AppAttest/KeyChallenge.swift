import Foundation
import OstiaryCore

/// The challenge of an attestation: 4 bytes for the second of its expiry, 12 random bytes, and 16 bytes of a keyed digest over
/// them. The store learns of it when it is redeemed, so that a flood of requests cannot fill the store.
struct KeyChallenge: Sendable {
    let bytes: [UInt8]
    let expiresAt: Date

    private static let partBytes = 16
    private static let timeBytes = 4

    /// Creates a challenge that is valid for ``AppAttestSettings/challengeSeconds``.
    init(in engine: AuthEngine) {
        let end = engine.ports.system.now().timeIntervalSince1970 + Double(AppAttestSettings.challengeSeconds)
        let seconds = UInt32(clamping: Int(end.rounded(.up)))
        let part =
            (0..<Self.timeBytes).reversed().map { UInt8(truncatingIfNeeded: seconds >> (8 * $0)) }
            + engine.ports.system.randomBytes(Self.partBytes - Self.timeBytes)
        bytes = part + Self.tag(of: part, in: engine)
        expiresAt = Date(timeIntervalSince1970: Double(seconds))
    }

    /// Reads a challenge of this app that has not expired; nil for any other text.
    init?(_ text: String, in engine: AuthEngine) {
        guard let bytes = Base64URL.decode(text.utf8), bytes.count == 2 * Self.partBytes else { return nil }
        let part = Array(bytes.prefix(Self.partBytes))
        guard constantTimeEqual(bytes, part + Self.tag(of: part, in: engine)) else { return nil }
        let seconds = part.prefix(Self.timeBytes).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        self.bytes = bytes
        expiresAt = Date(timeIntervalSince1970: Double(seconds))
        guard engine.ports.system.now() < expiresAt else { return nil }
    }

    /// Redeems the challenge.
    ///
    /// - Returns: `false` if it was redeemed before.
    func redeem(in engine: AuthEngine) async throws -> Bool {
        do {
            try await engine.ports.store.add(
                SingleUseRecord(
                    app: engine.app.name, kind: .attestationChallenge,
                    hash: engine.ports.keys.digest(
                        ["attested", bytes.base64URL], for: .challenges, app: engine.app.name),
                    payload: [], expiresAt: expiresAt))
            return true
        } catch StoreRefusal.alreadySpent {
            return false
        }
    }

    private static func tag(of part: [UInt8], in engine: AuthEngine) -> [UInt8] {
        let digest = engine.ports.keys.digest(["attest", part.base64URL], for: .challenges, app: engine.app.name)
        return Array(digest.prefix(partBytes))
    }
}

import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

/// The key that signs, and the states of the others.
@Suite struct SigningKeyStateTests {
    private static let noon = Date(timeIntervalSince1970: 1_800_000_000)

    /// Returns keys by the second from noon at which they sign and, if they have a successor, retire.
    private func made(_ times: [(from: Double, until: Double?)]) throws -> [StoredSigningKey] {
        try times.enumerated().map { index, times in
            StoredSigningKey(
                app: try AppName("vici"), kid: "k\(index)", algorithm: "ES256", sealedPrivateKey: [],
                createdAt: Self.noon + times.from, retiresAt: times.until.map { Self.noon + $0 })
        }
    }

    @Test(
        arguments: [
            // A rotation by command at noon: the new key signs at once.
            (0.0, [(-1000, 100), (0, nil)], "k1", [.accepted, .current]),
            // A schedule has published the next key.
            (0, [(-1000, 600), (500, nil)], "k0", [.current, .next]),
            (499, [(-1000, 600), (500, nil)], "k0", [.current, .next]),
            (500, [(-1000, 600), (500, nil)], "k1", [.accepted, .current]),
            // A rotation by command after the next key was published: that is never used.
            (0, [(-1000, 100), (500, 100), (0, nil)], "k2", [.accepted, .accepted, .current]),
            // Clocks that were set back.
            (-2000, [(-1000, 100), (0, nil)], "k1", [.accepted, .current]), (-2000, [(-1000, nil)], "k0", [.current]),
        ] as [(Double, [(from: Double, until: Double?)], String, [StoredSigningKey.State])])
    func `the newest key that has begun signs`(
        second: Double, times: [(from: Double, until: Double?)], signing: String, states: [StoredSigningKey.State]
    ) throws {
        let (keys, now) = (try made(times), Self.noon + second)
        #expect(keys.signing(at: now)?.kid == signing)
        #expect(keys.reversed().signing(at: now)?.kid == signing)
        #expect(keys.map { $0.state(at: now, among: keys) } == states)
    }
}

public import Foundation
import OstiaryCore

/// An origin of an account's sign-ins that later ones are compared with.
public struct SignInOrigin: Hashable, Sendable {
    /// The kind of an origin.
    public enum Kind: Hashable, Sendable {
        /// A country. Source: ISO 3166-1 alpha-2.
        case country(String)
        /// An autonomous system.
        case system(UInt32)
        /// The place of the last sign-in that has one.
        case place(Coordinates)
    }

    /// The origin.
    public var kind: Kind
    /// The time of the last sign-in from it.
    public var lastAt: Date
}

extension Administration {
    /// Returns the origins that are kept of an account's sign-ins, by kind.
    func signInOrigins(of id: AccountID) async throws -> [SignInOrigin] {
        let stored = try await ports.store.signInHistory(of: id, in: app.name, at: now)
        let history = engine.open(stored.sealed, of: id)
        return history.countries.sorted { $0.key < $1.key }.map {
            SignInOrigin(kind: .country($0.key), lastAt: $0.value)
        }
            + history.systems.sorted { $0.key < $1.key }.map { SignInOrigin(kind: .system($0.key), lastAt: $0.value) }
            + (history.place.map { [SignInOrigin(kind: .place($0.coordinates), lastAt: $0.at)] } ?? [])
    }
}

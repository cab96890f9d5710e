import Foundation

/// The properties of an account's successful sign-ins that later ones are compared with. Stores have it sealed. Its names never
/// change: rows outlive an update of the server.
struct SignInHistory: Codable, Hashable, Sendable {
    /// The time of the last sign-in from each country.
    var countries: [String: Date] = [:]
    /// The time of the last sign-in from each autonomous system.
    var systems: [UInt32: Date] = [:]
    /// The place of the last sign-in that has one.
    var place: Place?
    /// The time of the last reset of the password.
    var resetAt: Date?
    /// The last comparison of the password with the list of compromised ones.
    var passwordCheck: PasswordCheck?

    struct Place: Codable, Hashable, Sendable {
        /// Coarse: see ``Coordinates/coarse``.
        var coordinates: Coordinates
        var at: Date
    }

    struct PasswordCheck: Codable, Hashable, Sendable {
        /// A keyed hash of the stored hash of the password.
        var password: [UInt8]
        var isCompromised: Bool
        var at: Date
    }

    /// The time for which the history is kept after a sign-in, in seconds.
    static let retentionSeconds = StoredSignInHistory.retentionSeconds
    /// The number of countries, and of systems, that are kept.
    static let maximumCount = 20
    /// The time after which an unchanged place and an unchanged country are recorded again, in seconds.
    private static let refreshSeconds = 3600.0

    /// Returns the history without sign-ins that are too old.
    func current(at now: Date) -> SignInHistory {
        let start = now.addingTimeInterval(-Self.retentionSeconds)
        var history = self
        history.countries = countries.filter { $0.value > start }
        history.systems = systems.filter { $0.value > start }
        if let place, place.at <= start { history.place = nil }
        return history
    }

    /// Returns the history after a sign-in from a location; nil if there is nothing to record.
    func recording(_ location: NetworkLocation, at now: Date) -> SignInHistory? {
        let due = now.addingTimeInterval(-Self.refreshSeconds)
        var history = self.current(at: now)
        var hasChanged = false
        if let country = location.country, countries[country].map({ $0 <= due }) ?? true {
            history.countries[country] = now
            hasChanged = true
        }
        if let number = location.systemNumber, systems[number].map({ $0 <= due }) ?? true {
            history.systems[number] = now
            hasChanged = true
        }
        if let here = location.coordinates?.coarse, place.map({ $0.coordinates != here || $0.at <= due }) ?? true {
            history.place = Place(coordinates: here, at: now)
            hasChanged = true
        }
        guard hasChanged else { return nil }
        history.countries = Self.newest(history.countries)
        history.systems = Self.newest(history.systems)
        return history
    }

    private static func newest<Key: Hashable>(_ times: [Key: Date]) -> [Key: Date] {
        guard times.count > maximumCount else { return times }
        return Dictionary(uniqueKeysWithValues: times.sorted { $0.value > $1.value }.prefix(maximumCount).map { $0 })
    }
}

import Foundation

/// The authentication of a session: the methods that were used, each with its latest time. Pure.
///
/// A refresh does not change it; step-up adds to it. Source: RFC 9470, OpenID Connect Core §2.
struct AuthenticationContext: Hashable, Codable, Sendable {
    /// An authentication assurance level. Source: NIST SP 800-63B-4.
    enum Level: String, Hashable, Codable, Sendable, Comparable {
        case aal1, aal2

        static func < (one: Level, other: Level) -> Bool { one == .aal1 && other == .aal2 }
    }

    /// A method with the time at which it succeeded.
    struct Event: Hashable, Codable, Sendable {
        var method: AuthenticationMethod
        var at: Date
        /// `true` if the key of a passkey is bound to one device. Source: WebAuthn Level 3 §6.1.3.
        var isHardwareBound = false
    }

    private(set) var events: [Event]

    init(_ events: [Event] = []) {
        self.events = []
        for event in events { add(event) }
    }

    /// Adds a method, or updates its time.
    mutating func add(_ event: Event) {
        events.removeAll { $0.method == event.method }
        events.append(event)
    }

    /// The level of the session, regardless of age: `aal2` for factors of both kinds.
    var level: Level { time(for: .aal2) == nil ? .aal1 : .aal2 }

    /// Returns the `auth_time` for a level: for `aal1` the latest time of any method, for `aal2` the older one of the two
    /// kinds, each at its latest.
    ///
    /// - Returns: Nil if the session does not have the level.
    func time(for level: Level) -> Date? {
        switch level {
        case .aal1: return events.map(\.at).max()
        case .aal2:
            guard let knowledge = latest(.knowledge), let possession = latest(.possession) else { return nil }
            return min(knowledge, possession)
        }
    }

    /// Returns `true` if the session has a level whose time is not older than a maximum age.
    ///
    /// - Parameter maximumAge: In seconds; nil for any age.
    func satisfies(_ level: Level, maximumAge: Int? = nil, at now: Date) -> Bool {
        guard let time = time(for: level) else { return false }
        guard let maximumAge else { return true }
        return now.timeIntervalSince(time) <= Double(maximumAge)
    }

    /// The authentication method references, sorted, without duplicates. Source: RFC 8176 §2.
    var references: [String] {
        var references: Set<String> = level == .aal2 ? ["mfa"] : []
        for event in events {
            switch event.method {
            case .password: references.insert("pwd")
            case .totp, .emailCode, .recoveryCode: references.insert("otp")
            case .smsCode: references.insert("sms")
            case .passkey: references.insert(event.isHardwareBound ? "hwk" : "swk")
            case .verifiedPasskey: references.formUnion([event.isHardwareBound ? "hwk" : "swk", "user"])
            case .federated: break
            }
        }
        return references.sorted()
    }

    private func latest(_ kind: AuthenticationMethod.Kind) -> Date? {
        events.lazy.filter { $0.method.kinds.contains(kind) }.map(\.at).max()
    }
}

public import Foundation
public import OstiaryCore

/// The authentication of a session: the methods that were used, each with its latest time. Pure.
///
/// A refresh does not change it; step-up adds to it. Source: RFC 9470, OpenID Connect Core §2.
public struct AuthenticationContext: Hashable, Sendable {
    /// A method with the time at which it succeeded.
    public struct Event: Hashable, Sendable {
        /// The method.
        public var method: AuthenticationMethod
        /// The time at which it succeeded, in whole milliseconds, the precision of stores.
        public var at: Date
        /// `true` if the key of a passkey is bound to one device. Source: WebAuthn Level 3 §6.1.3.
        public var isHardwareBound: Bool

        /// Creates an event from its parts.
        public init(method: AuthenticationMethod, at: Date, isHardwareBound: Bool = false) {
            self.method = method
            self.at = at.asStored
            self.isHardwareBound = isHardwareBound
        }
    }

    /// The events, one for each method, in the order in which they succeeded.
    public private(set) var events: [Event]

    /// Creates a context of events; of two with the same method the later one counts.
    public init(_ events: [Event] = []) {
        self.events = []
        for event in events { add(event) }
    }

    /// Adds a method, or updates its time.
    public mutating func add(_ event: Event) {
        events.removeAll { $0.method == event.method }
        events.append(event)
    }

    /// The level of the session, regardless of age: `aal2` for factors of both kinds.
    public var level: AuthenticationLevel { time(for: .aal2) == nil ? .aal1 : .aal2 }

    /// Returns the `auth_time` for a level: for `aal1` the latest time of any method, for `aal2` the older one of the two
    /// kinds, each at its latest.
    ///
    /// - Returns: Nil if the session does not have the level.
    public func time(for level: AuthenticationLevel) -> Date? {
        switch level {
        case .aal1: return events.map(\.at).max()
        case .aal2:
            guard let knowledge = latest(.knowledge), let possession = latest(.possession) else { return nil }
            return min(knowledge, possession)
        }
    }

    /// The authentication method references, sorted, without duplicates. Source: RFC 8176 §2.
    public var references: [String] {
        var references: Set<String> = level == .aal2 ? ["mfa"] : []
        for event in events {
            switch event.method {
            case .password: references.insert("pwd")
            case .totp, .emailCode, .recoveryCode: references.insert("otp")
            case .smsCode: references.insert("sms")
            case .passkey: references.insert(event.isHardwareBound ? "hwk" : "swk")
            case .verifiedPasskey: references.formUnion([event.isHardwareBound ? "hwk" : "swk", "user"])
            case .federated, .rememberedDevice: break
            }
        }
        return references.sorted()
    }

    private func latest(_ kind: AuthenticationMethod.Kind) -> Date? {
        events.lazy.filter { $0.method.kinds.contains(kind) }.map(\.at).max()
    }
}

extension AuthenticationContext {
    /// The text that stores keep: `METHOD:MILLISECONDS` for each event, with `:hardware` for a key that is bound to one
    /// device, separated by spaces.
    public var text: String {
        events.map { event in
            "\(event.method.rawValue):\(event.at.milliseconds)\(event.isHardwareBound ? ":hardware" : "")"
        }.joined(separator: " ")
    }

    /// Reads a context from its ``text``. Events that cannot be read are left out: the session then counts as
    /// authenticated by less.
    public init(text: String) {
        self.init(text.utf8.split(separator: UInt8(ascii: " ")).compactMap(Event.init(text:)))
    }
}

extension AuthenticationContext.Event {
    // Every refresh reads it: fields are found in place, not by an array of texts.
    fileprivate init?(text: Substring.UTF8View) {
        let colon = UInt8(ascii: ":")
        guard let methodEnd = text.firstIndex(of: colon),
            let method = AuthenticationMethod(rawValue: String(Substring(text[..<methodEnd])))
        else { return nil }
        let rest = text[text.index(after: methodEnd)...]
        let timeEnd = rest.firstIndex(of: colon)
        guard let time = Int64(Substring(rest[..<(timeEnd ?? rest.endIndex)])) else { return nil }
        if let timeEnd, !rest[rest.index(after: timeEnd)...].elementsEqual("hardware".utf8) { return nil }
        self.init(method: method, at: Date(milliseconds: time), isHardwareBound: timeEnd != nil)
    }
}

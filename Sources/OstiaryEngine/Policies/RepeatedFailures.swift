public import Foundation

/// Which failures are written down and which are only counted: while a store is away, every request fails in the same way.
///
/// The first of a kind gets an incident id; those of the same kind within ``window`` share it.
public struct RepeatedFailures: Sendable {
    /// In seconds.
    public static let window: TimeInterval = 1
    /// So many causes are told apart; further ones by their type alone.
    public static let maximumCauses = 64

    public struct Noted: Hashable, Sendable {
        public enum Turn: Hashable, Sendable { case first, firstRepetition, later }

        public var incident: String
        public var turn: Turn

        public init(incident: String, turn: Turn) {
            self.incident = incident
            self.turn = turn
        }
    }

    public struct Repeated: Hashable, Sendable {
        public var incident: String
        public var repetitions: Int

        public init(incident: String, repetitions: Int) {
            self.incident = incident
            self.repetitions = repetitions
        }
    }

    /// An incident id: eight hexadecimal digits, whatever the number.
    public static func incidentID(_ number: UInt32 = .random(in: .min ... .max)) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    private struct Kind {
        var incident: String
        var since: Date
        var repetitions = 0
    }

    private var kinds: [String: Kind] = [:]
    /// Repetitions of what has begun anew since.
    private var over: [Repeated] = []

    public init() {}

    /// - Parameter incident: Makes a new id.
    public mutating func note(
        _ cause: String, of type: String, at now: Date, incident: () -> String
    ) -> Noted {
        // Back in time too, where a clock was set.
        for (name, kind) in kinds where !(0..<Self.window).contains(now.timeIntervalSince(kind.since)) {
            if kind.repetitions > 0 { over.append(Repeated(incident: kind.incident, repetitions: kind.repetitions)) }
            kinds[name] = nil
        }
        let name = kinds[cause] != nil || kinds.count < Self.maximumCauses ? cause : type
        guard let known = kinds[name] else {
            let kind = Kind(incident: incident(), since: now)
            kinds[name] = kind
            return Noted(incident: kind.incident, turn: .first)
        }
        kinds[name]?.repetitions += 1
        return Noted(incident: known.incident, turn: known.repetitions == 0 ? .firstRepetition : .later)
    }

    /// What was repeated since this was last asked, and how often.
    public mutating func takeRepeated() -> [Repeated] {
        defer { over = [] }
        var repeated = over
        for (name, kind) in kinds where kind.repetitions > 0 {
            repeated.append(Repeated(incident: kind.incident, repetitions: kind.repetitions))
            // The next one is written down again.
            kinds[name] = nil
        }
        return repeated
    }
}

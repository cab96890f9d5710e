public import Foundation

/// Decides which failures are logged and which are only counted: while a store is unavailable, every request fails
/// alike.
///
/// The first of a kind gets an incident id; those of the same kind within ``window`` share it.
public struct RepeatedFailures: Sendable {
    /// The time within which failures of one kind share an incident, in seconds.
    public static let window: TimeInterval = 1
    /// The maximum number of causes that are distinguished; further ones are grouped by their type.
    public static let maximumCauses = 64

    /// The result of recording a failure.
    public struct RecordedFailure: Hashable, Sendable {
        /// The position of a failure among those of its incident: the first, the first repetition, or a later one.
        public enum Position: Hashable, Sendable { case first, firstRepetition, later }

        /// The incident's id.
        public var incident: String
        /// The failure's position within the incident.
        public var position: Position

        /// Creates a result from its parts.
        public init(incident: String, position: Position) {
            self.incident = incident
            self.position = position
        }
    }

    /// The number of repetitions of one incident.
    public struct Repeated: Hashable, Sendable {
        /// The incident's id.
        public var incident: String
        /// The number of repetitions, the first failure not included.
        public var repetitions: Int

        /// Creates a count from its parts.
        public init(incident: String, repetitions: Int) {
            self.incident = incident
            self.repetitions = repetitions
        }
    }

    /// Returns an incident id: always eight hexadecimal digits.
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
    /// The repetitions of incidents whose window has ended.
    private var over: [Repeated] = []

    /// Creates an empty record.
    public init() {}

    /// Records a failure.
    ///
    /// - Parameters:
    ///   - cause: The description that distinguishes kinds of failures.
    ///   - type: The type of the error, which replaces `cause` if too many causes are distinguished already.
    ///   - incident: Makes a new id.
    public mutating func note(
        _ cause: String, of type: String, at now: Date, incident: () -> String
    ) -> RecordedFailure {
        // Also for a time before the first failure, as after a clock change.
        for (name, kind) in kinds where !(0..<Self.window).contains(now.timeIntervalSince(kind.since)) {
            if kind.repetitions > 0 { over.append(Repeated(incident: kind.incident, repetitions: kind.repetitions)) }
            kinds[name] = nil
        }
        let name = kinds[cause] != nil || kinds.count < Self.maximumCauses ? cause : type
        guard let known = kinds[name] else {
            let kind = Kind(incident: incident(), since: now)
            kinds[name] = kind
            return RecordedFailure(incident: kind.incident, position: .first)
        }
        kinds[name]?.repetitions += 1
        return RecordedFailure(incident: known.incident, position: known.repetitions == 0 ? .firstRepetition : .later)
    }

    /// Returns the incidents repeated since the last call, with the number of repetitions, and resets the counts.
    public mutating func takeRepeated() -> [Repeated] {
        defer { over = [] }
        var repeated = over
        for (name, kind) in kinds where kind.repetitions > 0 {
            repeated.append(Repeated(incident: kind.incident, repetitions: kind.repetitions))
            // The next failure of this kind is logged again.
            kinds[name] = nil
        }
        return repeated
    }
}

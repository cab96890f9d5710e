/// The risk of one sign-in: its signals, and the country it came from.
public struct RiskAssessment: Codable, Hashable, Sendable {
    /// The signals, in the order of their definition.
    public private(set) var signals: [RiskSignal]
    /// The country. Source: ISO 3166-1 alpha-2.
    public private(set) var country: String?

    /// Creates an assessment from its parts.
    public init(signals: [RiskSignal] = [], country: String? = nil) {
        self.signals = signals
        self.country = country
    }

    /// The sum of the signals' weights.
    public var score: Int { signals.reduce(0) { $0 + $1.weight } }
    /// The level of the score.
    public var level: RiskLevel { RiskLevel(score: score) }

    // MARK: Audit log

    /// The names of the details of an audit event.
    enum Detail {
        static let signals = "risk_signals"
        static let score = "risk_score"
        static let country = "country"
    }

    /// The assessment in the details of an audit event: codes and the country, no place.
    var details: [String: String] {
        var details: [String: String] = [:]
        if !signals.isEmpty {
            details[Detail.signals] = signals.map(\.rawValue).joined(separator: ",")
            details[Detail.score] = "\(score)"
        }
        details[Detail.country] = country
        return details
    }
}

/// The risk of a recorded sign-in, as it was assessed then.
public struct RiskExplanation: Hashable, Sendable {
    /// The event.
    public var event: RecordedEvent
    /// The codes of the signals; one of another version of the program has no weight.
    public var signals: [(code: String, weight: Int?)] { codes.map { ($0, RiskSignal(rawValue: $0)?.weight) } }
    /// The sum at the time of the sign-in.
    public var score: Int
    /// The country that the sign-in came from; nil where it is not known.
    public var country: String?
    private let codes: [String]

    /// The level of the score.
    public var level: RiskLevel { RiskLevel(score: score) }

    init(_ event: RecordedEvent) {
        let details = event.event.details
        self.event = event
        let names = details[RiskAssessment.Detail.signals]?.utf8.split(separator: UInt8(ascii: ",")) ?? []
        codes = names.map { String(decoding: $0, as: UTF8.self) }
        score = details[RiskAssessment.Detail.score].flatMap { Int($0) } ?? 0
        country = details[RiskAssessment.Detail.country]
    }
}

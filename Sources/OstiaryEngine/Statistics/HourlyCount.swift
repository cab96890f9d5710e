public import Foundation

/// The number of events of one app and hour that have the same properties: the row that statistics consist of. Names no
/// account.
public struct HourlyCount: Hashable, Sendable {
    /// The subjects of statistics.
    public enum Series: String, Hashable, Sendable {
        /// Attempts to sign in.
        case signIn = "sign_in"
        /// New accounts, other than those that an administrator made.
        case registration
        /// Messages that were sent, or given up.
        case message
    }

    /// The properties that a count has in common.
    public struct Key: Hashable, Sendable {
        /// The app.
        public var app: AppName
        /// The beginning of the hour, in UTC.
        public var start: Date
        /// The subject.
        public var series: Series
        /// The operation; empty for messages.
        public var operation: String
        /// The method of a sign-in, or the channel of a message; empty for registrations.
        public var method: String
        /// The second factor of a sign-in; empty for none.
        public var factor: String
        /// `ok` or a refusal's code; for messages the raw value of a ``MessageOutcome``.
        public var outcome: String

        /// Creates a key. The time may be any of the hour.
        public init(
            app: AppName, at time: Date, series: Series, operation: String = "", method: String = "",
            factor: String = "", outcome: String
        ) {
            self.app = app
            start = StatisticsInterval.hour.start(of: time)
            self.series = series
            self.operation = operation
            self.method = method
            self.factor = factor
            self.outcome = outcome
        }
    }

    /// The properties.
    public var key: Key
    /// The number of events.
    public var count: Int

    /// Creates a count.
    public init(_ key: Key, count: Int) {
        self.key = key
        self.count = count
    }
}

extension HourlyCount {
    /// Returns the counts of audit events.
    static func counts(of events: some Sequence<AuditEvent>) -> [HourlyCount] {
        var counts: [Key: Int] = [:]
        for event in events {
            if let method = event.method {
                let key = Key(
                    app: event.app, at: event.at, series: .signIn, operation: event.action, method: method,
                    factor: event.factor ?? "", outcome: event.outcome)
                counts[key, default: 0] += 1
            }
            if event.isNewAccount {
                let key = Key(
                    app: event.app, at: event.at, series: .registration, operation: event.action,
                    outcome: AuditEvent.succeeded)
                counts[key, default: 0] += 1
            }
        }
        return counts.map { HourlyCount($0.key, count: $0.value) }
    }
}

public import Foundation

/// The result of a message, as it is counted.
public struct MessageResult: Hashable, Sendable {
    /// The channel: `email`, `sms`, or `unknown` for a message that could not be decrypted.
    public var channel: String
    /// The outcome.
    public var outcome: MessageOutcome
    /// The time of the outcome.
    public var at: Date

    /// Creates a result.
    public init(channel: String, outcome: MessageOutcome, at: Date) {
        self.channel = channel
        self.outcome = outcome
        self.at = at
    }

    /// Returns the key under which the result of an app's message is counted.
    public func key(of app: AppName) -> HourlyCount.Key {
        HourlyCount.Key(app: app, at: at, series: .message, method: channel, outcome: outcome.rawValue)
    }
}

/// The outcomes of a message. Kept in the store by raw value.
public enum MessageOutcome: String, CaseIterable, Hashable, Sendable {
    /// The next server accepted it.
    case sent
    /// It was given up.
    case failed
}

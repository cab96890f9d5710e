public import Foundation

/// A message to a person, without its text.
public struct AdminMessage: AdminValue {
    /// The identifier.
    public var id: String = ""
    /// The name of the app.
    public var app: String = ""
    /// The channel, `email` or `sms`; nil for a queued message that was sealed with another key.
    public var channel: String?
    /// The purpose of the message; nil as for ``channel``.
    public var kind: String?
    /// The masked recipient; nil as for ``channel``.
    public var to: String?
    /// The state of its delivery.
    public var state: AdminMessageState = .queued
    /// The number of attempts to send it.
    public var attempts: Int = 0
    /// The result of the last attempt that failed.
    public var lastError: String?
    /// The time at which it was queued.
    public var createdAt: Date = Date(timeIntervalSince1970: 0)
    /// The time of the next attempt.
    public var nextAttemptAt: Date?
    /// The time at which it was sent.
    public var sentAt: Date?

    /// The name of the value's schema.
    public static let schemaName = "Message"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminMessage>] = [
        .required("id", \.id, .text()),
        .required("app", \.app, .app),
        .nullable("channel", \.channel, .text()),
        .nullable("kind", \.kind, .text()),
        .nullable("to", \.to, .text()),
        .required("state", \.state, .name),
        .required("attempts", \.attempts, .integer()),
        .nullable("last_error", \.lastError, .text()),
        .required("created_at", \.createdAt, .time),
        .nullable("next_attempt_at", \.nextAttemptAt, .time),
        .nullable("sent_at", \.sentAt, .time),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}

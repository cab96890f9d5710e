public import Foundation

/// An attempt to deliver an event.
public struct AdminEventAttempt: AdminValue {
    /// The time of the attempt.
    public var at: Date = Date(timeIntervalSince1970: 0)
    /// The HTTP status of the answer; nil without one.
    public var status: Int?
    /// The reason why there was no answer.
    public var error: String?
    /// The duration in milliseconds.
    public var durationMilliseconds: Int = 0

    /// The name of the value's schema.
    public static let schemaName = "EventAttempt"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminEventAttempt>] = [
        .required("at", \.at, .time),
        .nullable("status", \.status, .integer()),
        .nullable("error", \.error, .text()),
        .required("duration_ms", \.durationMilliseconds, .integer()),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}

/// The reason for which an assertion is not accepted, besides those of its verification. The raw value is a label of metrics.
enum AppAssertionProblem: String, Error, Hashable, Sendable {
    /// The request has no assertion.
    case missing
    /// The header cannot be read.
    case malformed
    /// The key is not attested, or was forgotten.
    case unknownKey = "unknown_key"
    /// Another request used the counter, or a greater one, at the same time.
    case replayed
    /// The session belongs to another key.
    case otherKey = "other_key"
}

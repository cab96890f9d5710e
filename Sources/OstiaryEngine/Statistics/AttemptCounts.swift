/// The numbers of attempts to sign in, by their result.
public struct AttemptCounts: Hashable, Sendable {
    /// Attempts that opened a session.
    public var succeeded = 0
    /// Attempts that were refused.
    public var failed = 0
    /// Attempts that were asked for a further step, whose answer is an attempt of its own.
    public var pending = 0

    /// Creates counts; each is 0 unless it is given.
    public init(succeeded: Int = 0, failed: Int = 0, pending: Int = 0) {
        self.succeeded = succeeded
        self.failed = failed
        self.pending = pending
    }

    /// All attempts.
    public var attempts: Int { succeeded + failed + pending }

    /// The share of successes among the attempts that were decided, from 0 to 1; `nil` if none was.
    public var successRate: Double? { decided == 0 ? nil : Double(succeeded) / Double(decided) }
    /// The share of refusals among the attempts that were decided, from 0 to 1; `nil` if none was.
    public var failureRate: Double? { decided == 0 ? nil : Double(failed) / Double(decided) }

    private var decided: Int { succeeded + failed }

    /// Adds attempts with an outcome.
    mutating func add(_ count: Int, outcome: String) {
        switch outcome {
        case AuditEvent.succeeded: succeeded += count
        case AuditEvent.pending: pending += count
        default: failed += count
        }
    }
}

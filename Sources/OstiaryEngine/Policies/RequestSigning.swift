/// What an app wants of the signatures of its requests. Named so in the configuration.
public enum RequestSigning: String, CaseIterable, Sendable {
    /// They are not looked at, and no keys are given.
    case off
    /// A signature that is there must be good.
    case accepted
    /// Without a good one, nothing is done for signed-in people.
    case required
}

/// When a signed request must have been made, by the server's clock, in seconds.
struct SignatureWindow {
    /// To both sides.
    static let seconds = 300

    static func contains(_ created: Int, at now: Int) -> Bool {
        let (difference, hasOverflown) = now.subtractingReportingOverflow(created)
        return !hasOverflown && difference.magnitude <= seconds
    }

    /// How long after it was made a nonce is remembered: as long as any node takes it, and as much again for nodes whose clocks
    /// differ.
    static let memorySeconds = 2 * seconds + 1
}

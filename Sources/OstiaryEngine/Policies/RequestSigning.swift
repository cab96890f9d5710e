/// An app's requirement for signed requests. The raw values are those of the configuration.
public enum RequestSigning: String, CaseIterable, Sendable {
    /// Signatures are ignored, and no keys are issued.
    case off
    /// A signature is optional, but must be valid if there is one.
    case accepted
    /// Authenticated requests without a valid signature are refused.
    case required
}

/// The time window in which a signed request is accepted, by the server's clock, in seconds.
struct SignatureWindow {
    /// The tolerance in both directions.
    static let seconds = 300

    static func contains(_ created: Int, at now: Int) -> Bool {
        let (difference, hasOverflown) = now.subtractingReportingOverflow(created)
        return !hasOverflown && difference.magnitude <= seconds
    }

    /// The time for which a nonce is remembered after its creation: as long as any node accepts it, and as much again
    /// for nodes with a different clock.
    static let memorySeconds = 2 * seconds + 1
}

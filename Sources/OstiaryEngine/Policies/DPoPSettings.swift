/// An app's rules for tokens that are bound to a key of their session. Source: RFC 9449.
public struct DPoPSettings: Hashable, Sendable {
    /// The requirement for new sessions. The raw values are those of the configuration.
    public enum Requirement: String, CaseIterable, Sendable {
        /// Proofs of requests that open a session are ignored, and the session is not bound.
        case off
        /// A session is bound if the request that opens it has a proof.
        case accepted
        /// Every session is bound; one that is not ends at its next refresh.
        case required
    }

    /// The requirement for new sessions. A session that is bound stays bound, whatever the requirement.
    public var requirement: Requirement
    /// The origins that a proof may name besides the app's own, such as that of an API behind a proxy; normalized.
    public var origins: Set<String>

    /// Creates settings from their parts.
    public init(requirement: Requirement = .off, origins: Set<String> = []) {
        self.requirement = requirement
        self.origins = origins
    }
}

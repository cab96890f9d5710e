/// The reason for which bytes or a query are not the expected value.
public enum AdminInputProblem: Error, Hashable, Sendable {
    /// Not strict JSON, or a query that cannot be decoded.
    case malformed
    /// Well formed, with these problems; at least one, and at most ``AdminReader/maximumErrors``.
    case invalid([AdminFieldError])
}

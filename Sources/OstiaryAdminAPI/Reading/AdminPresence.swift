/// The presence of a member in an object.
public enum AdminPresence: Hashable, Sendable {
    /// Always there and never null.
    case required
    /// Always there in an answer, as null without a value; in a request it may be absent.
    case nullable
    /// Left out without a value.
    case optional
}

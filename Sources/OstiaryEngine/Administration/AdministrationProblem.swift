/// The reason for refusing an administrator's command, as one line for display.
public struct AdministrationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The message.
    public var description: String

    /// Creates a problem with its message.
    public init(_ description: String) { self.description = description }
}

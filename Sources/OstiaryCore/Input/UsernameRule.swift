/// Checks a username while the user types it.
public struct UsernameRule: Hashable, Sendable {
    private let rules: AppRules?

    /// Creates a rule.
    ///
    /// - Parameter rules: The rules of the app in which the name is chosen; nil to check an existing name.
    public init(choosingFor rules: AppRules? = nil) { self.rules = rules }

    /// Returns the verdict on the typed text; it is never incomplete.
    public func check(_ text: String) -> Input<Username> {
        if text.isBlank { return .empty }
        return Input(text, endings: []) { text throws(FieldProblem) in
            let username = try Username(text)
            guard rules.map(username.isFit) ?? true else { throw .malformed }
            return username
        }
    }
}

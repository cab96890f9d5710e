/// Tells while somebody types what is wrong with a username.
public struct UsernameRule: Hashable, Sendable {
    private let rules: AppRules?

    /// - Parameter rules: Of the app where the name is being chosen; nil where it is only asked for.
    public init(choosingFor rules: AppRules? = nil) { self.rules = rules }

    public func check(_ text: String) -> Input<Username> {
        if text.isBlank { return .empty }
        return Input(text, endings: []) { text throws(FieldProblem) in
            let username = try Username(text)
            guard rules.map(username.isFit) ?? true else { throw .malformed }
            return username
        }
    }
}

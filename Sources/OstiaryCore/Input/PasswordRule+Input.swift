extension PasswordRule {
    /// Checks a new password while the user types it. White space is significant.
    ///
    /// - Parameter own: The names of the user: see ``ownNames(app:email:username:phoneNumber:fullName:)``.
    public func check(_ text: String, own: [String]) -> Input<Secret<String>> {
        if text.isEmpty { return .empty }
        let password = Secret(text)
        return switch problem(with: password, own: own) {
        case nil: .good(password)
        case .malformed?: .invalid(.malformed)
        case .tooLong(let maximum)?: .invalid(.tooLong(maximum: maximum))
        // Each of these problems can be resolved by typing more characters.
        case let problem?: .incomplete(problem)
        }
    }

    /// Checks the entry of an existing password: any text except the empty one is acceptable, because the rule applies
    /// only when a password is chosen.
    public static func checkExisting(_ text: String) -> Input<Secret<String>> {
        text.isEmpty ? .empty : .good(Secret(text))
    }
}

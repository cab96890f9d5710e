extension PasswordRule {
    /// Tells while somebody types what is wrong with a password that they choose. White space counts.
    ///
    /// - Parameter own: What the person is called: see ``ownNames(app:email:username:phoneNumber:fullName:)``.
    public func check(_ text: String, own: [String]) -> Input<Secret<String>> {
        if text.isEmpty { return .empty }
        let password = Secret(text)
        return switch problem(with: password, own: own) {
        case nil: .good(password)
        case .malformed?: .invalid(.malformed)
        case .tooLong(let maximum)?: .invalid(.tooLong(maximum: maximum))
        // Every one of these goes away with more letters.
        case let problem?: .incomplete(problem)
        }
    }

    /// Tells whether somebody has typed the password that they have: whatever it is, it was good once.
    public static func checkExisting(_ text: String) -> Input<Secret<String>> {
        text.isEmpty ? .empty : .good(Secret(text))
    }
}

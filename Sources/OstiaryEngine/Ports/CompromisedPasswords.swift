public import OstiaryCore

/// A list of passwords that are known from breaches of other services. Source: NIST SP 800-63B-4 §3.1.1.2.
public protocol CompromisedPasswords: Sendable {
    /// Returns `true` if a password is on the list; `false` if that cannot be determined.
    func contains(_ password: Secret<String>) async -> Bool
}

extension AuthEngine {
    /// Returns the reason why a new password is not acceptable.
    ///
    /// - Parameter own: Names of the person and the app: email, username, phone number, full name, and the app's name.
    /// - Returns: `nil` if the password is acceptable.
    func problem(withNew password: Secret<String>, own: [String]) async -> FieldProblem? {
        if let problem = app.passwords.problem(with: password, own: own) { return problem }
        return await ports.compromisedPasswords?.contains(password) == true ? .compromised : nil
    }
}

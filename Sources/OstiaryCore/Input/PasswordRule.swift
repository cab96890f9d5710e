/// Which passwords are acceptable: long enough, not everybody's, not the person's own name. No composition rules.
///
/// Source: NIST SP 800-63B §5.1.1.2.
public struct PasswordRule: Hashable, Sendable {
    /// Unicode code points.
    public var minimumLength: Int
    /// UTF-8 bytes; bcrypt reads no more.
    public static let maximumBytes = 72

    public init(minimumLength: Int = 8) { self.minimumLength = minimumLength }

    /// - Parameter own: What the person is called: email, username, phone number, name, and the app's name.
    /// - Returns: What is wrong with the password; nil if nothing is. A server knows more common passwords than this.
    public func problem(with password: Secret<String>, own: [String]) -> FieldProblem? {
        let text = password.reveal()
        if text.utf8.contains(0) { return .malformed }
        if text.unicodeScalars.count < minimumLength { return .tooShort(minimum: minimumLength) }
        if text.utf8.count > Self.maximumBytes { return .tooLong(maximum: Self.maximumBytes) }
        let folded = text.lowercased()
        if CommonPasswords.rank(of: folded[...]) != nil || folded.isRun { return .tooCommon }
        // With digits after it, a name is as easily guessed as without.
        let bare = String(folded.reversed().drop { $0.isNumber }.reversed())
        let names = own.map { $0.lowercased() } + ["ostiary"]
        if names.contains(folded) || names.contains(bare) { return .containsIdentifier }
        return nil
    }

    /// What a person is called, in every form that a password of theirs may not be.
    public static func ownNames(
        app: String? = nil, email: EmailAddress? = nil, username: Username? = nil, phoneNumber: PhoneNumber? = nil,
        fullName: PersonName? = nil
    ) -> [String] {
        var names = [app].compactMap(\.self)
        if let email {
            names += [email.text, String(email.text.prefix { $0 != "@" })]
        }
        if let username {
            names += [username.text, String(username.text.prefix { $0 != "@" })]
        }
        if let phoneNumber {
            names += [phoneNumber.e164, String(phoneNumber.e164.dropFirst())]
        }
        if let fullName { names.append(fullName.text) }
        return names
    }
}

extension String {
    /// Whether it is letters or digits that count up or down: `abcdefgh`, `87654321`.
    fileprivate var isRun: Bool {
        let values = unicodeScalars.map { Int($0.value) }
        guard values.count > 1, abs(values[1] - values[0]) == 1, allSatisfy({ $0.isLetter || $0.isNumber }) else {
            return false
        }
        return zip(values.dropFirst(), values).allSatisfy { $0 - $1 == values[1] - values[0] }
    }
}

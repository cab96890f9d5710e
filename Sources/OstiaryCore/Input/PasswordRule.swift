/// The rule for acceptable passwords: long enough, and neither a common password nor the user's own name with the usual
/// additions. It has no composition rules.
///
/// The core of a password (without capitals, digits and symbols around it, and with substituted letters restored) is
/// compared as a whole. Decision 36 gives the reasons.
///
/// Source: NIST SP 800-63B-4 §3.1.1.2.
public struct PasswordRule: Hashable, Sendable {
    /// The minimum length, in Unicode code points.
    public var minimumLength: Int
    /// The maximum length, in UTF-8 bytes; bcrypt ignores further bytes.
    public static let maximumBytes = 72

    /// Creates a rule with a minimum length in Unicode code points.
    public init(minimumLength: Int = 8) { self.minimumLength = minimumLength }

    /// Returns the reason to reject a password; nil if it is acceptable.
    ///
    /// - Parameters:
    ///   - password: The password to check.
    ///   - own: The names of the user: email, username, phone number, name, and the app's name.
    ///   - isCommon: Returns `true` if a text in lower case is a common password in addition to this rule's own list.
    /// - Returns: The first problem found: a null byte, the length, a common password, or the user's own name.
    public func problem(
        with password: Secret<String>, own: [String], isCommon: (String) -> Bool = { _ in false }
    ) -> FieldProblem? {
        let text = password.reveal()
        if text.utf8.contains(0) { return .malformed }
        if text.utf8.count > Self.maximumBytes { return .tooLong(maximum: Self.maximumBytes) }
        if text.unicodeScalars.count < minimumLength { return .tooShort(minimum: minimumLength) }
        let core = PasswordCore(text)
        func isListed(_ form: String) -> Bool { Self.isCommon(form) || isCommon(form) }
        if core.whole.isRun || isListed(core.whole) { return .tooCommon }
        if OwnNames(own + ["ostiary"]).hold(core) { return .containsIdentifier }
        if core.unbrokenForms.contains(where: Keyboard.isWalk) || core.forms.contains(where: isListed) {
            return .tooCommon
        }
        return nil
    }

    private static func isCommon(_ form: String) -> Bool {
        CommonPasswords.rank(of: form[...]) != nil || PasswordStems.contains(form)
    }

    /// Returns the names of a user and an app, in every form that the user's password must not equal.
    public static func ownNames(
        app: String? = nil, email: EmailAddress? = nil, username: Username? = nil, phoneNumber: PhoneNumber? = nil,
        fullName: PersonName? = nil
    ) -> [String] {
        var names = [app].compactMap(\.self)
        if let email {
            let domain = email.text.utf8.split(separator: UInt8(ascii: "@")).last ?? email.text.utf8[...]
            let label = domain.prefix { $0 != UInt8(ascii: ".") }
            names += [email.text, localPart(of: email.text)] + (label.count < 3 ? [] : [String(Substring(label))])
        }
        if let username {
            names += [username.text, localPart(of: username.text)]
        }
        if let phoneNumber {
            names += [phoneNumber.e164, String(phoneNumber.e164.dropFirst())]
        }
        if let fullName { names.append(fullName.text) }
        return names
    }

    private static func localPart(of text: String) -> String {
        String(Substring(text.utf8.prefix { $0 != UInt8(ascii: "@") }))
    }
}

extension String {
    /// `true` if the text consists of ascending or descending letters or digits: `abcdefgh`, `87654321`.
    fileprivate var isRun: Bool {
        let values = unicodeScalars.map { Int($0.value) }
        guard values.count > 1, abs(values[1] - values[0]) == 1, allSatisfy({ $0.isLetter || $0.isNumber }) else {
            return false
        }
        return zip(values.dropFirst(), values).allSatisfy { $0 - $1 == values[1] - values[0] }
    }
}

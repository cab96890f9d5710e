/// Which passwords are acceptable: long enough, and neither a common password nor the person's own name with the usual
/// additions. No composition rules.
///
/// What remains of a password without capitals, digits and symbols around it, and letters in disguise, is compared as a
/// whole. Decision 36 says why.
///
/// Source: NIST SP 800-63B-4 §3.1.1.2.
public struct PasswordRule: Hashable, Sendable {
    /// Unicode code points.
    public var minimumLength: Int
    /// UTF-8 bytes; bcrypt reads no more.
    public static let maximumBytes = 72

    public init(minimumLength: Int = 8) { self.minimumLength = minimumLength }

    /// - Parameters:
    ///   - own: What the person is called: email, username, phone number, name, and the app's name.
    ///   - isCommon: Whether a text in lower case is a common password, beyond those that this rule knows.
    /// - Returns: What is wrong with the password; nil if nothing is.
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

    /// What a person is called, in every form that a password of theirs may not be.
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
    /// Whether it is letters or digits that count up or down: `abcdefgh`, `87654321`.
    fileprivate var isRun: Bool {
        let values = unicodeScalars.map { Int($0.value) }
        guard values.count > 1, abs(values[1] - values[0]) == 1, allSatisfy({ $0.isLetter || $0.isNumber }) else {
            return false
        }
        return zip(values.dropFirst(), values).allSatisfy { $0 - $1 == values[1] - values[0] }
    }
}

import OstiaryCore

/// The validation of typed values: a pure function of form, fields and rules.
struct FormCheck {
    let contractRules: AppRules
    let passwords: PasswordRule
    let codes: CodeRule
    let fields: AuthFields
    let identifier: Field?
    let phones: PhoneRule
    /// The user of the session, whose own names a new password must not be.
    let user: User?
    /// The app's name.
    let appName: String?

    func verdict(of field: FormField) -> InputVerdict {
        let text = fields[field.entry]
        switch field.entry {
        case .identifier:
            switch self.identifier {
            case .email: return EmailRule().check(text).verdict
            case .phoneNumber: return phones.check(text).verdict
            default: return username(text, isChosen: field.isChosen).verdict
            }
        case .email: return emailInput.verdict
        case .password, .newPassword:
            return (field.isChosen ? passwords.check(text, own: ownNames) : PasswordRule.checkExisting(text)).verdict
        case .name: return NameRule().check(text).verdict
        case .code: return codes.check(text).verdict
        case .recoveryCode: return RecoveryCodeRule().check(text)
        case .factorName: return FactorNameRule().check(text).verdict
        case .resetToken, .registrationToken: return text.isEmpty ? .empty : .good
        case .rememberMe, .rememberDevice: return .good
        }
    }

    /// Returns `true` if the field does not prevent the form from being sent.
    func isDone(_ field: FormField) -> Bool {
        switch verdict(of: field) {
        case .good: true
        case .empty: field.isOptional
        case .incomplete, .invalid: false
        }
    }

    /// The email address; a username that is an email address is used in its place, so that it need not be typed twice.
    var emailInput: Input<EmailAddress> {
        if !fields.email.isEmpty || identifier != .username { return EmailRule().check(fields.email) }
        return EmailRule().check(fields.identifier).value.map(Input.good) ?? .empty
    }

    private func username(_ text: String, isChosen: Bool) -> Input<Username> {
        UsernameRule(choosingFor: isChosen ? contractRules : nil).check(text)
    }

    var ownNames: [String] {
        let email = identifier == .email ? EmailRule().check(fields.identifier).value : emailInput.value
        let typed = PasswordRule.ownNames(
            app: appName, email: email,
            username: identifier == .username ? username(fields.identifier, isChosen: false).value : nil,
            phoneNumber: identifier == .phoneNumber ? phones.check(fields.identifier).value : nil,
            fullName: NameRule().check(fields.name).value)
        guard let user else { return typed }
        return typed
            + PasswordRule.ownNames(
                email: user.email, username: user.username, phoneNumber: user.phoneNumber, fullName: user.fullName)
    }
}

import OstiaryClient
import OstiaryContracts
public import OstiaryCore

extension AuthViewModel {
    private var check: FormCheck {
        FormCheck(
            contractRules: auth.contract.rules, passwords: options.passwords, codes: options.codes, fields: fields,
            identifier: screens.identifier, phones: PhoneRule(region: phoneRegion), user: user,
            appName: options.appName)
    }

    /// Returns the fields of a form; for ``AuthForm/answerChallenge`` and ``AuthForm/stepUp`` the field of the current
    /// challenge.
    public func formFields(of form: AuthForm) -> [FormField] {
        switch form {
        case .answerChallenge: challengeForm.map { [$0.field] + [rememberDeviceField].compactMap(\.self) } ?? []
        case .stepUp: stepUpForm.map { [$0.field] } ?? []
        default: screens.fields(of: form)
        }
    }

    /// Returns the verdict on the input of a field.
    public func verdict(of field: FormField) -> InputVerdict { check.verdict(of: field) }

    /// Returns `true` if the form can be sent: its fields are complete, and no action blocks it.
    public func canSubmit(_ form: AuthForm) -> Bool {
        let fields = formFields(of: form)
        return !fields.isEmpty && fields.allSatisfy(check.isDone) && !isWaiting(form)
    }

    private func isWaiting(_ form: AuthForm) -> Bool {
        let isBusy = running.keys.contains { $0.isEntering }
        return switch form {
        case .requestCode: isBusy || resendSeconds > 0
        case .updateProfile: self.isBusy(.updateProfile)
        case .changePassword: self.isBusy(.changePassword)
        case .deleteAccount: self.isBusy(.deleteAccount)
        case .confirmTOTP: self.isBusy(.confirmTOTP)
        case .renameFactor: self.isBusy(.renameFactor)
        case .stepUp: running.keys.contains(where: \.isStepUp)
        default: isBusy
        }
    }

    /// Marks an entry as completed by the person; from now on its problems are shown.
    public func leave(_ entry: AuthFields.Entry) { visitedEntries.insert(entry) }

    /// Returns the message below a field: the server's refusal, or a definite problem of the input; `nil` if there is
    /// none.
    public func message(for field: FormField) -> String? {
        if let error, error.entry == field.entry { return error.text }
        let verdict = verdict(of: field)
        let isDone = visitedEntries.contains(field.entry) && !(verdict == .empty && field.isOptional)
        guard let problem = isDone ? verdict.problem : verdict.problemWhileTyping else { return nil }
        return texts.text(of: problem, in: field.field)
    }

    /// Returns the strength of the password typed at a field; `nil` for an empty field.
    public func strength(of field: FormField) -> PasswordStrength? {
        let text = fields[field.entry]
        return text.isEmpty ? nil : PasswordStrength(of: Secret(text), own: check.ownNames)
    }

    func fieldsChanged(from old: AuthFields) {
        if let entry = error?.entry, fields[entry] != old[entry], !fields[entry].isEmpty { error = nil }
        if fields.identifier != old.identifier { numberChanged() }
    }

    /// Discards a sent code: it is valid only for the number that it was sent to.
    func numberChanged() {
        guard code != nil else { return }
        code = nil
        step = .start
        fields.code = ""
        endCountdown()
    }

    /// Returns the values of a form for a request; `nil` if a field is missing or invalid, which is then shown at the
    /// field.
    func filled(_ form: AuthForm) -> Filled? {
        let fields = formFields(of: form)
        let check = check
        guard !fields.isEmpty, fields.allSatisfy(check.isDone) else {
            visitedEntries.formUnion(fields.map(\.entry))
            return nil
        }
        return Filled(check)
    }
}

/// The typed values in canonical form, as requests carry them.
struct Filled: Sendable {
    let identifier: String
    let email: String?
    let password: String
    let newPassword: String
    let name: String?
    let code: String
    let recoveryCode: String
    let factorName: String?
    let resetToken: String
    let registrationToken: String
    let rememberMe: Bool

    init(_ check: FormCheck) {
        let typed = check.fields
        identifier =
            switch check.identifier {
            case .email?: EmailRule().check(typed.identifier).value?.text ?? typed.identifier
            case .phoneNumber?: check.phones.check(typed.identifier).value?.e164 ?? typed.identifier
            default: UsernameRule().check(typed.identifier).value?.text ?? typed.identifier
            }
        email = check.emailInput.value?.text
        password = typed.password
        newPassword = typed.newPassword
        name = NameRule().check(typed.name).value?.text
        code = check.codes.check(typed.code).value?.reveal() ?? typed.code
        recoveryCode = typed.recoveryCode
        factorName = FactorNameRule().check(typed.factorName).value?.text
        resetToken = typed.resetToken
        registrationToken = typed.registrationToken
        rememberMe = typed.rememberMe
    }

    /// Returns the answer to a challenge that was typed at an entry.
    func text(of entry: AuthFields.Entry) -> String {
        switch entry {
        case .code: code
        case .recoveryCode: recoveryCode
        case .password: password
        default: newPassword
        }
    }
}

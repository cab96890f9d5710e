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

    /// The fields of a form, and of the answer to the challenge that there is.
    public func formFields(of form: AuthForm) -> [FormField] {
        form == .answerChallenge ? challengeForm.map { [$0.field] } ?? [] : screens.fields(of: form)
    }

    /// What was typed at a field amounts to.
    public func verdict(of field: FormField) -> InputVerdict { check.verdict(of: field) }

    /// Whether the form's button would do something.
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
        default: isBusy
        }
    }

    /// Says that the person is done with an entry: what is wrong there is told from now on.
    public func leave(_ entry: AuthFields.Entry) { left.insert(entry) }

    /// What stands under a field: what the server said about it, or what is wrong with it for certain; nil for nothing.
    public func message(for field: FormField) -> String? {
        if let error, error.entry == field.entry { return error.text }
        let verdict = verdict(of: field)
        let isDone = left.contains(field.entry) && !(verdict == .empty && field.isOptional)
        guard let problem = isDone ? verdict.problem : verdict.problemWhileTyping else { return nil }
        return texts.text(of: problem, in: field.field)
    }

    /// How hard the password is to guess that is being chosen; nil where nothing is typed.
    public func strength(of field: FormField) -> PasswordStrength? {
        let text = fields[field.entry]
        return text.isEmpty ? nil : PasswordStrength(of: Secret(text), own: check.ownNames)
    }

    func fieldsChanged(from old: AuthFields) {
        if let entry = error?.entry, fields[entry] != old[entry], !fields[entry].isEmpty { error = nil }
        if fields.identifier != old.identifier { numberChanged() }
    }

    /// A code that was sent to another number is of no use.
    func numberChanged() {
        guard code != nil else { return }
        code = nil
        step = .start
        fields.code = ""
        endCountdown()
    }

    /// What goes out of a form; nil if something is missing, which is told at its field then.
    func filled(_ form: AuthForm) -> Filled? {
        let fields = formFields(of: form)
        let check = check
        guard !fields.isEmpty, fields.allSatisfy(check.isDone) else {
            left.formUnion(fields.map(\.entry))
            return nil
        }
        return Filled(check)
    }
}

/// What was typed, in the form that goes out.
struct Filled: Sendable {
    let identifier: String
    let email: String?
    let password: String
    let newPassword: String
    let name: String?
    let code: String
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
        resetToken = typed.resetToken
        registrationToken = typed.registrationToken
        rememberMe = typed.rememberMe
    }
}

public import OstiaryContracts
public import OstiaryCore

/// The forms of an app and their fields, derived from its contract.
public struct AuthScreens: Hashable, Sendable {
    /// The identifier for signing in; `nil` if the app itself has no sign-in by password.
    public let identifier: Field?
    /// `true` if a registration begins with a code that is sent to the person.
    public let registersWithCode: Bool
    /// `true` if signing in happens in the browser, at a provider of the server.
    public let signsInWithBrowser: Bool
    /// The identity providers with a button each, for example `google`.
    public let socialProviders: [String]
    /// `true` if the server accepts an ID token that the device received itself, as from Apple's system sheet.
    public let takesIdentityTokens: Bool
    /// `true` if the server lists the sessions of an account.
    public let listsSessions: Bool
    /// `true` if the server lists the devices that an account recognizes.
    public let listsDevices: Bool
    /// `true` if the server lists the second factors of an account.
    public let listsFactors: Bool
    private let forms: [AuthForm: [FormField]]

    /// Derives the forms from a contract.
    ///
    /// - Parameters:
    ///   - contract: The contract of the app's server.
    ///   - socialProviders: The identity providers with a button each; `nil` for those of the contract. Without effect
    ///     if the contract has no social sign-in.
    public init(_ contract: Contract, socialProviders: [String]? = nil) {
        let rules = contract.rules
        let identifier: Field? =
            switch rules.identifier {
            case .email: .email
            case .phoneNumber: .phoneNumber
            case .username: .username
            case .subject: nil
            }
        self.identifier = identifier
        registersWithCode = rules.registersWithCode
        signsInWithBrowser = contract.endpoint(for: .beginBrowserSignIn) != nil
        self.socialProviders =
            contract.endpoint(for: .beginSocialSignIn) == nil ? [] : socialProviders ?? contract.socialProviders
        takesIdentityTokens = contract.endpoint(for: .signInWithIdentityToken) != nil
        listsSessions = contract.endpoint(for: .listSessions) != nil
        listsDevices = contract.endpoint(for: .listDevices) != nil
        listsFactors = contract.endpoint(for: .listFactors) != nil
        var forms: [AuthForm: [FormField]] = [:]
        for form in AuthForm.allCases {
            guard let takes = contract.endpoint(for: form.operation)?.takes else { continue }
            forms[form] = takes.compactMap { FormField($0, in: form, identifier: identifier) }
        }
        self.forms = forms
    }

    /// The first form for a person who has forgotten their password; `nil` if the contract has none.
    ///
    /// With an email address it requests a link; with a phone number the code is requested on the form of the new
    /// password.
    public var forgottenPassword: AuthForm? {
        if has(.requestPasswordReset) { return .requestPasswordReset }
        return fields(of: .resetPassword).contains { $0.entry == .code } ? .resetPassword : nil
    }

    /// Returns `true` if the contract offers the form.
    public func has(_ form: AuthForm) -> Bool { forms[form] != nil }

    /// Returns the fields of a form in order. Empty for a form that the contract does not offer, and for
    /// ``AuthForm/answerChallenge`` and ``AuthForm/stepUp``, which depend on the challenge: see ``ChallengeForm``.
    public func fields(of form: AuthForm) -> [FormField] { forms[form] ?? [] }
}

extension FormField {
    /// Creates the field for one value of a request; `nil` for a value that the person does not type.
    fileprivate init?(_ use: FieldSpec, in form: AuthForm, identifier: Field?) {
        let entry: AuthFields.Entry? =
            switch use.field {
            case identifier: .identifier
            case .email: .email
            // A replacing password is typed at `newPassword`, regardless of its name on the wire.
            case .password: form == .resetPassword ? .newPassword : .password
            case .currentPassword: .password
            case .newPassword: .newPassword
            case .fullName: .name
            case .code: .code
            case .name: .factorName
            case .resetToken: .resetToken
            case .registrationToken: .registrationToken
            case .rememberMe: .rememberMe
            default: nil
            }
        guard let entry else { return nil }
        let isNewPassword = entry == .newPassword || (entry == .password && form == .register)
        // Accounts can have a passkey instead of a password, also at their registration. These screens ask for the password,
        // except to delete an account.
        let isRequired = form != .deleteAccount && (use.field == .password || use.field == .currentPassword)
        self.init(
            entry, use.field, isOptional: use.isOptional && !isRequired,
            isChosen: isNewPassword || (entry == .identifier && form == .register))
    }
}

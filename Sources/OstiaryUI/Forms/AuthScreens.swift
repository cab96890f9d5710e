public import OstiaryContracts
public import OstiaryCore

/// Which screens an app has, and what is on them: read from its contract, whichever that is.
public struct AuthScreens: Hashable, Sendable {
    /// What people sign in with; nil where the app itself takes no password.
    public let identifier: Field?
    /// Whether a code is sent first, and the registration goes on with it.
    public let registersWithCode: Bool
    /// Whether signing in happens in the browser, at whichever provider the server has.
    public let signsInWithBrowser: Bool
    /// The identity providers that have a button each, such as `google`.
    public let socialProviders: [String]
    /// Whether the server takes what an identity provider told the device itself, as Apple does in the system's sheet.
    public let takesIdentityTokens: Bool
    public let listsSessions: Bool
    private let forms: [AuthForm: [FormField]]

    /// - Parameter socialProviders: Nil for those that the contract names.
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
        var forms: [AuthForm: [FormField]] = [:]
        for form in AuthForm.allCases {
            guard let takes = contract.endpoint(for: form.operation)?.takes else { continue }
            forms[form] = takes.compactMap { FormField($0, in: form, identifier: identifier) }
        }
        self.forms = forms
    }

    /// Where somebody begins who has forgotten their password; nil where the app cannot help them.
    ///
    /// With an email address they ask for a link; with a phone number the code is asked for where the new password is chosen.
    public var forgottenPassword: AuthForm? {
        if has(.requestPasswordReset) { return .requestPasswordReset }
        return fields(of: .resetPassword).contains { $0.entry == .code } ? .resetPassword : nil
    }

    public func has(_ form: AuthForm) -> Bool { forms[form] != nil }

    /// What the form asks for, in order. Empty for a form that the app does not have, and for the answer to a challenge, which
    /// depends on the challenge: see ``ChallengeForm``.
    public func fields(of form: AuthForm) -> [FormField] { forms[form] ?? [] }
}

extension FormField {
    /// Nil for what a request carries without the person's doing.
    fileprivate init?(_ use: FieldUse, in form: AuthForm, identifier: Field?) {
        let entry: AuthFields.Entry? =
            switch use.field {
            case identifier: .identifier
            case .email: .email
            // What replaces a password is typed where a new one is, whatever the wire calls it.
            case .password: form == .resetPassword ? .newPassword : .password
            case .currentPassword: .password
            case .newPassword: .newPassword
            case .fullName: .name
            case .code: .code
            case .resetToken: .resetToken
            case .registrationToken: .registrationToken
            case .rememberMe: .rememberMe
            default: nil
            }
        guard let entry else { return nil }
        let isNewPassword = entry == .newPassword || (entry == .password && form == .register)
        self.init(
            entry, use.field, isOptional: use.isOptional,
            isChosen: isNewPassword || (entry == .identifier && form == .register))
    }
}

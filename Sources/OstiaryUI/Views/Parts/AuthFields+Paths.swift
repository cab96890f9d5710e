#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryCore

extension AuthFields.Entry {
    /// The key path of the entry's text; `nil` for the entry without one.
    var text: WritableKeyPath<AuthFields, String>? {
        switch self {
        case .identifier: \.identifier
        case .email: \.email
        case .password: \.password
        case .newPassword: \.newPassword
        case .name: \.name
        case .code: \.code
        case .recoveryCode: \.recoveryCode
        case .factorName: \.factorName
        case .resetToken: \.resetToken
        case .registrationToken: \.registrationToken
        case .rememberMe, .rememberDevice: nil
        }
    }

    /// The property of a choice; `nil` for an entry with a text.
    var choice: WritableKeyPath<AuthFields, Bool>? {
        switch self {
        case .rememberMe: \.rememberMe
        case .rememberDevice: \.rememberDevice
        default: nil
        }
    }

    var isSecret: Bool { self == .password || self == .newPassword }
}

extension AuthViewModel {
    /// Returns the first field of a form that prevents it from being sent.
    func firstUnfinished(of form: AuthForm) -> AuthFields.Entry? {
        formFields(of: form).first { field in
            switch verdict(of: field) {
            case .good: false
            case .empty: !field.isOptional
            case .incomplete, .invalid: true
            }
        }?.entry
    }

    /// Returns the current error, unless it is shown at one of these fields.
    func error(outside fields: [FormField]) -> ShownError? {
        guard let error else { return nil }
        return fields.contains { $0.entry == error.entry } ? nil : error
    }

    func label(of field: FormField, in form: AuthForm) -> String {
        let key: TextKey =
            switch (field.entry, field.field) {
            // A sign-in accepts username or email address; a registration asks for both.
            case (.identifier, .username): form == .signIn ? .usernameOrEmailLabel : .usernameLabel
            case (.identifier, .phoneNumber): .phoneNumberLabel
            case (.identifier, _), (.email, _): .emailLabel
            case (.password, .currentPassword) where form != .stepUp: .currentPasswordLabel
            case (.password, _): .passwordLabel
            case (.newPassword, _): .newPasswordLabel
            case (.name, _): .nameLabel
            case (.code, _): .codeLabel
            case (.recoveryCode, _): .recoveryCodeLabel
            case (.factorName, _): .factorNameLabel
            case (.resetToken, _), (.registrationToken, _): .resetTokenLabel
            case (.rememberMe, _): .rememberMeLabel
            case (.rememberDevice, _): rememberDeviceDays == 1 ? .rememberDeviceOneDay : .rememberDevice
            }
        if let rememberDeviceDays, field.entry == .rememberDevice {
            return texts(key, ["days": "\(rememberDeviceDays)"])
        }
        return field.isOptional && field.entry != .rememberMe
            ? texts(.optionalLabel, ["label": texts(key)]) : texts(key)
    }
}
#endif

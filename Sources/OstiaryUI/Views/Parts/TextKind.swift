#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryCore
import SwiftUI

#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

/// The kind of text in a field, which determines the keyboard and the system's suggestions.
enum TextKind {
    case email
    /// The identifier for signing in: the system fills it in together with the password.
    case emailToSignIn, phoneNumberToSignIn, usernameToSignIn
    case phoneNumber
    case password, newPassword
    case name
    case oneTimeCode
    case plain

    init(_ field: FormField, in form: AuthForm) {
        switch field.entry {
        case .identifier where form == .requestCode || form == .requestPasswordReset:
            self = field.field == .phoneNumber ? .phoneNumber : .email
        case .identifier:
            switch field.field {
            case .email: self = .emailToSignIn
            case .phoneNumber: self = .phoneNumberToSignIn
            default: self = .usernameToSignIn
            }
        case .email: self = .email
        case .password, .newPassword: self = field.isChosen ? .newPassword : .password
        case .name: self = .name
        case .code: self = .oneTimeCode
        case .recoveryCode, .factorName, .resetToken, .registrationToken, .rememberMe, .rememberDevice:
            self = .plain
        }
    }

    var isPhoneNumber: Bool {
        switch self {
        case .phoneNumber, .phoneNumberToSignIn: true
        default: false
        }
    }

    /// `true` for a keypad without a return key.
    var hasKeypad: Bool { isPhoneNumber || self == .oneTimeCode }

    /// An example of the contents; `nil` for none.
    var prompt: TextKey? {
        switch self {
        case .email, .emailToSignIn: .emailPrompt
        case .phoneNumber, .phoneNumberToSignIn: .phoneNumberPrompt
        default: nil
        }
    }
}

extension View {
    /// Sets the keyboard, capitalization, correction and suggestions. All differences between platforms are in this
    /// function.
    func typing(_ kind: TextKind) -> some View {
        #if canImport(UIKit)
        textContentType(kind.contentType).keyboardType(kind.keyboard)
            .textInputAutocapitalization(kind == .name ? .words : .never)
            .autocorrectionDisabled()
        #else
        textContentType(kind.contentType).autocorrectionDisabled()
        #endif
    }

    /// Shows a small title, on platforms with a navigation bar.
    func titleInBar() -> some View {
        #if canImport(UIKit)
        navigationBarTitleDisplayMode(.inline)
        #else
        self
        #endif
    }
}

#if canImport(UIKit)
private typealias ContentType = UITextContentType
#else
private typealias ContentType = NSTextContentType
#endif

extension TextKind {
    fileprivate var contentType: ContentType? {
        switch self {
        case .email: .emailAddress
        case .emailToSignIn, .phoneNumberToSignIn, .usernameToSignIn: .username
        case .phoneNumber: .telephoneNumber
        case .password: .password
        case .newPassword: .newPassword
        case .name: .name
        case .oneTimeCode: .oneTimeCode
        case .plain: nil
        }
    }

    #if canImport(UIKit)
    fileprivate var keyboard: UIKeyboardType {
        switch self {
        // A username may be an email address.
        case .email, .emailToSignIn, .usernameToSignIn: .emailAddress
        case .phoneNumber, .phoneNumberToSignIn: .phonePad
        case .oneTimeCode: .numberPad
        case .password, .newPassword, .name, .plain: .default
        }
    }
    #endif
}
#endif

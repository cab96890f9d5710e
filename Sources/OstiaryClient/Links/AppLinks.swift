public import Foundation
public import OstiaryContracts
import OstiaryCore

/// The URLs that lead into an app, and their destinations: for `onOpenURL`, after ``AuthClient/open(_:)``.
///
/// An attacker can write such a URL, so parsing is strict: a URL that is not the app's, names an unknown page, repeats
/// a parameter or cannot be decoded is ignored as a whole, and its only parameters that are read are an identifier, or
/// the token of a password reset, a registration, a recovery or a device link.
///
/// ```swift
/// let links = AppLinks(contract: .barqnet, webBases: [try BaseURL("https://app.barqnet.com")])
/// if case .signIn(let link) = links.destination(of: url) { … }
/// ```
public struct AppLinks: Hashable, Sendable {
    private let contract: Contract
    private let schemes: Set<String>
    private let webBases: [BaseURL]

    /// The maximum length of a URL that is read, in bytes.
    public static let maximumBytes = 4096

    /// Creates the links of an app.
    ///
    /// - Parameters:
    ///   - contract: The app's contract, which defines the screens and identifiers that exist.
    ///   - schemes: The app's custom URL schemes, as in its Info.plist; nil for the contract's name.
    ///   - webBases: The prefixes of the app's universal links. For links in emails, the server's `public_url`.
    public init(contract: Contract, schemes: Set<String>? = nil, webBases: [BaseURL] = []) {
        self.contract = contract
        self.schemes = Set((schemes ?? [contract.name]).map(\.asciiLowercased)).subtracting(["http", "https"])
        self.webBases = webBases
    }

    /// Returns the destination of a URL; nil for a URL to be ignored.
    public func destination(of url: URL) -> AppLink? { destination(of: url.absoluteString) }

    func destination(of address: String) -> AppLink? {
        guard let link = LinkText(address, atMost: Self.maximumBytes), let page = page(of: link) else { return nil }
        switch page {
        case PasswordResetLink.page:
            return token(link, for: .resetPassword, .resetToken).map { .passwordReset(PasswordResetLink(token: $0)) }
        case RegistrationLink.page:
            return token(link, for: .confirmRegistration, .registrationToken).map {
                .registration(RegistrationLink(token: $0))
            }
        case PasskeyRecoveryLink.page:
            guard contract.endpoint(for: .registerPasskey) != nil else { return nil }
            return token(link).map { .passkeyRecovery(PasskeyRecoveryLink(token: $0)) }
        case DeviceRecognitionLink.page:
            return token(link, for: .redeemDeviceLink, .deviceLinkToken).map {
                .deviceRecognition(DeviceRecognitionLink(token: $0))
            }
        default: return signInLink(link, page)
        }
    }

    private func signInLink(_ link: LinkText, _ page: String) -> AppLink? {
        guard let screen = SignInLink.Screen(rawValue: page), has(screen) else { return nil }
        switch link.value(ofOneOf: identifierNames) {
        case .absent: return .signIn(SignInLink(screen: screen))
        case .found(let text): return .signIn(SignInLink(screen: screen, identifier: identifier(text)))
        case .unreadable: return nil
        }
    }

    /// Returns the name of the page: the host of a custom scheme, or the path below a web base.
    private func page(of link: LinkText) -> String? {
        if schemes.contains(link.scheme) {
            guard link.path.isEmpty || link.path == "/" else { return nil }
            return link.authority.asciiLowercased
        }
        guard let address = try? BaseURL("\(link.scheme)://\(link.authority)\(link.path)") else { return nil }
        for base in webBases where address.text.utf8.starts(with: "\(base.text)/".utf8) {
            return String(address.text.dropFirst(base.text.count + 1))
        }
        return nil
    }

    private func has(_ screen: SignInLink.Screen) -> Bool {
        let kinds: [OperationKind] =
            switch screen {
            case .signIn: [.signIn, .beginBrowserSignIn, .beginSocialSignIn]
            case .register: [.register]
            // With a phone number a one-time code is requested instead.
            case .forgotPassword: [.requestPasswordReset, .resetPassword]
            }
        return kinds.contains { contract.endpoint(for: $0) != nil }
    }

    // MARK: Identifier

    private var identifierNames: Set<String> {
        switch contract.rules.identifier {
        case .email: ["email", contract.spelling(of: .email)]
        case .phoneNumber: ["phone", "phone_number", contract.spelling(of: .phoneNumber)]
        case .username: ["username", contract.spelling(of: .username)]
        case .subject: []
        }
    }

    private func identifier(_ text: String) -> Identifier? {
        switch contract.rules.identifier {
        case .email: (try? EmailAddress(text)).map { .email($0) }
        case .phoneNumber: (try? PhoneNumber(text)).map { .phoneNumber($0) }
        case .username: (try? Username(text)).map { .username($0) }
        case .subject: nil
        }
    }

    // MARK: Tokens from emails

    private static let maximumTokenBytes = 2048

    /// Returns the token for an operation; nil if the link has no valid one, or the contract has no such operation.
    private func token(_ link: LinkText, for kind: OperationKind, _ field: Field) -> Secret<String>? {
        let takes = contract.endpoint(for: kind)?.takes ?? []
        return takes.contains { $0.field == field } ? token(link) : nil
    }

    private func token(_ link: LinkText) -> Secret<String>? {
        guard case .found(let token) = link.value(ofOneOf: ["token"]), !token.isEmpty,
            token.utf8.count <= Self.maximumTokenBytes,
            token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return Secret(token)
    }
}

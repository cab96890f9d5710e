// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
public import Foundation

public final class ASAuthorizationAppleIDProvider: NSObject, ASAuthorizationProvider {
    public enum CredentialState: Int, Sendable { case revoked, authorized, notFound, transferred }
    public static let credentialRevokedNotification = NSNotification.Name(
        "ASAuthorizationAppleIDCredentialRevokedNotification")
    /// The device's state of an account, as one test sets it.
    @TaskLocal public static var shimState: @Sendable (String) throws -> CredentialState = { _ in .notFound }

    public func createRequest() -> ASAuthorizationAppleIDRequest { .init(provider: self) }
    public func credentialState(forUserID userID: String) async throws -> CredentialState { try Self.shimState(userID) }
}
public struct ASAuthorizationScope: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let fullName = Self(rawValue: "full_name"), email = Self(rawValue: "email")
}
extension ASAuthorization { public typealias Scope = ASAuthorizationScope }
open class ASAuthorizationOpenIDRequest: ASAuthorizationRequest {
    public var requestedScopes: [ASAuthorization.Scope]?
    public var state: String?
    public var nonce: String?
}
public final class ASAuthorizationAppleIDRequest: ASAuthorizationOpenIDRequest { public var user: String? }
public final class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential {
    public let user: String, state: String?, identityToken: Data?, authorizationCode: Data?
    public let fullName: PersonNameComponents?, email: String?
    public init(
        shimUser: String, state: String?, identityToken: Data?, authorizationCode: Data? = nil,
        fullName: PersonNameComponents? = nil, email: String? = nil
    ) {
        user = shimUser; self.state = state; self.identityToken = identityToken
        self.authorizationCode = authorizationCode; self.fullName = fullName; self.email = email
    }
}
/// Foundation's on Apple's platforms, where the order follows the language of the name.
extension PersonNameComponents {
    public func formatted() -> String {
        [givenName, middleName, familyName].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    }
}

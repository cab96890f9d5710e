#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import AuthenticationServices
public import OstiaryCore

/// The identity of a person who signed in with Apple on this device.
///
/// Apple sends the name and the email address the first time only. An app that loses them before its server has them
/// does not get them again. So it keeps this value until ``AuthClient/signIn(with:provider:)`` has succeeded; the token
/// is valid for some minutes.
public struct AppleIdentity: Hashable, Sendable {
    /// Apple's identifier of the person, the same in all apps of one team. For ``AppleSignIn/isRevoked(userID:)``.
    public let userID: String
    /// The identity token, for the app's server to verify.
    public let identityToken: Secret<String>
    /// The authorization code, for a server that calls Apple's token endpoint itself; Ostiary's server does not need
    /// it.
    public let authorizationCode: Secret<String>?
    /// The nonce that was generated before the request. The token contains its SHA-256.
    public let nonce: Secret<String>
    /// The name, as the person entered it; `nil` if Apple sent none.
    public let name: String?
    /// The email address, which may be a relay address of Apple; `nil` if Apple sent none. The token contains it too.
    public let email: String?
}

/// The parts of the system's credential, as a `Sendable` value.
struct AppleCredential: Sendable {
    let userID: String
    let state: String?
    let identityToken: Data?
    let authorizationCode: Data?
    let name: PersonNameComponents?
    let email: String?

    init(_ credential: ASAuthorizationAppleIDCredential) {
        userID = credential.user
        state = credential.state
        identityToken = credential.identityToken
        authorizationCode = credential.authorizationCode
        name = credential.fullName
        email = credential.email
    }
}

extension AppleIdentity {
    /// Creates an identity from the response to one request.
    ///
    /// - Throws: ``ClientError/invalidResponse`` for the response to another request, or one without a token.
    init(_ credential: AppleCredential, nonce: SignInNonce, state: Secret<String>) throws(ClientError) {
        guard let answered = credential.state, answered.utf8.elementsEqual(state.reveal().utf8),
            let token = credential.identityToken.flatMap({ String(validating: $0, as: UTF8.self) }), !token.isEmpty
        else { throw .invalidResponse }
        userID = credential.userID
        identityToken = Secret(token)
        authorizationCode = credential.authorizationCode.map { Secret(String(decoding: $0, as: UTF8.self)) }
        self.nonce = nonce.raw
        name = credential.name.map { $0.formatted() }.flatMap { $0.isEmpty ? nil : $0 }
        email = credential.email
    }
}

// A dump must not reveal the person.
extension AppleIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A fixed text without the person's data.
    public var description: String { "<somebody's Apple identity>" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// An empty mirror, so that no dump contains the person's data.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
#endif

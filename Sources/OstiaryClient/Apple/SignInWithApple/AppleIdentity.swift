#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import AuthenticationServices
public import OstiaryCore

/// What Apple told this device about a person who signed in with it.
///
/// Name and email come the first time only. An app that loses them before its server has them does not get them again, so
/// it keeps this value until ``AuthClient/signIn(with:provider:)`` has succeeded; its token is good for some minutes.
public struct AppleIdentity: Hashable, Sendable {
    /// Apple's name for the person, the same in all apps of one team. For ``AppleSignIn/isRevoked(userID:)``.
    public let userID: String
    /// For the app's server, which checks it.
    public let identityToken: Secret<String>
    /// For a server that speaks to Apple itself; Ostiary's does not need it.
    public let authorizationCode: Secret<String>?
    /// What was made up before Apple was asked. The token carries its SHA-256.
    public let nonce: Secret<String>
    /// As the person had it written.
    public let name: String?
    /// Perhaps one of Apple's that forwards. The token carries it too.
    public let email: String?
}

/// The system's own value, without its class.
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
    /// - Throws: ``ClientError/invalidResponse`` for an answer to another question, or one without a token.
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

// Whose it is, is nobody's business who reads a dump.
extension AppleIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<somebody's Apple identity>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
#endif

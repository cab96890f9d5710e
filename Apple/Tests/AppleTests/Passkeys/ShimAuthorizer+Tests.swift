import AuthenticationServices
import OstiaryCore
import OstiaryTesting

@testable import OstiaryClient

extension ShimAuthorizer {
    /// Runs what is the test's with this person in front of the device.
    func on<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await Self.$current.withValue(self) { try await patiently(body) }
    }

    static func failing(_ code: ASAuthorizationError.Code) -> ShimAuthorizer {
        ShimAuthorizer { _ in .failure(ASAuthorizationError(code)) }
    }

    /// Somebody with an Apple Account, and a server that gets Apple's tokens.
    static func apple(
        _ server: TestServer, name: PersonNameComponents? = nil, email: String? = nil
    ) -> ShimAuthorizer {
        ShimAuthorizer { request in
            guard let request = request as? ASAuthorizationAppleIDRequest,
                let token = server.identityToken(nonce: request.nonce ?? "", from: "apple")
            else { return .failure(.init(.failed)) }
            return .success(
                ASAuthorizationAppleIDCredential(
                    shimUser: "001.jo", state: request.state, identityToken: Data(token.reveal().utf8),
                    fullName: name, email: email))
        }
    }
}

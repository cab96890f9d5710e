import AuthenticationServices
import OstiaryCore
import OstiaryTesting

@testable import OstiaryClient

extension ShimAuthorizer {
    /// Runs a part of a test with this person at the device.
    func on<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await Self.$current.withValue(self) { try await patiently(body) }
    }

    static func failing(_ code: ASAuthorizationError.Code) -> ShimAuthorizer {
        ShimAuthorizer { _ in .failure(ASAuthorizationError(code)) }
    }

    /// Returns a person with an Apple Account, whose identity tokens the server accepts as Apple's.
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

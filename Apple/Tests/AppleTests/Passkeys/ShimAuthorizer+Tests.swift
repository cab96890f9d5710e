import AuthenticationServices
import OstiaryCore
import OstiaryTesting

@testable import OstiaryClient

extension ShimAuthorizer {
    /// Runs what is the test's with this person in front of the device. Whoever lost their question is cancelled, so that
    /// the test fails and does not wait for ever.
    func on<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Self.$current.withValue(self) { Task { try await body() } }
        let patience = Task {
            try await Task.sleep(for: .seconds(10))
            task.cancel()
        }
        defer { patience.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
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

#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import OstiaryContracts
import OstiaryCore

extension AuthClient {
    /// Signs somebody in with their Apple Account: asks them in the system's sheet, and has the server check the answer.
    ///
    /// - Parameter provider: What the server calls Apple.
    /// - Throws: What ``AppleSignIn/identity()`` and ``signIn(identityToken:provider:nonce:name:)`` throw;
    ///   ``ClientError/invalidRequest(_:)`` while another sign-in is under way; ``ClientError/unsupported(_:)``, before
    ///   anybody is asked, for a contract that has no place for it.
    @discardableResult
    public func signInWithApple(
        provider: String = "apple", using apple: AppleSignIn = AppleSignIn()
    ) async throws(ClientError) -> SessionSnapshot {
        guard auth.codec.endpoint(for: .signInWithIdentityToken) != nil else {
            throw .unsupported(.signInWithIdentityToken)
        }
        return try await begin(by: .identityToken, label: "") { () async throws(ClientError) in
            try await self.browserTurn.taken { () async throws(ClientError) in
                try await self.signedIn(with: try await apple.identity(), provider: provider)
            }
        }
    }

    /// Signs in with what Apple has told: for apps that ask themselves, and to try again after a failure.
    @discardableResult
    public func signIn(
        with identity: AppleIdentity, provider: String = "apple"
    ) async throws(ClientError) -> SessionSnapshot {
        try await begin(by: .identityToken, label: "") { () async throws(ClientError) in
            try await self.signedIn(with: identity, provider: provider)
        }
    }

    private func signedIn(with identity: AppleIdentity, provider: String) async throws(ClientError) -> SignedIn {
        try await perform(
            SignInWithIdentityToken(
                provider: provider, identityToken: identity.identityToken, nonce: identity.nonce,
                // One that the server would refuse is no reason to turn its owner away.
                fullName: identity.name.flatMap { try? PersonName($0) }))
    }
}
#endif

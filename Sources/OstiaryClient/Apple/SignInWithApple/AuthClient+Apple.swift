#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import OstiaryContracts
import OstiaryCore

extension AuthClient {
    /// Signs a person in with their Apple Account: shows the system's sheet, and has the server verify the identity
    /// token.
    ///
    /// - Parameters:
    ///   - provider: The server's name of Apple as an identity provider.
    ///   - apple: The sign-in that shows the sheet.
    /// - Throws: The errors of ``AppleSignIn/identity()`` and ``signIn(identityToken:provider:nonce:name:)``;
    ///   ``ClientError/invalidRequest(_:)`` while another sign-in is in progress; ``ClientError/unsupported(_:)``,
    ///   before the sheet is shown, if the contract has no such operation.
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

    /// Signs in with an identity from Apple: for apps that show the sheet themselves, and for a retry after a failure.
    ///
    /// - Parameters:
    ///   - identity: The identity from Apple, with its token still valid.
    ///   - provider: The server's name of Apple as an identity provider.
    /// - Throws: The errors of ``signIn(identityToken:provider:nonce:name:)``.
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
                // A name that the server would reject is left out; it must not prevent the sign-in.
                fullName: identity.name.flatMap { try? PersonName($0) }))
    }
}
#endif

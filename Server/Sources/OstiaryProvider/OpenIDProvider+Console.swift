package import OstiaryCore
package import OstiaryEngine

/// The console as a client: the authorization code flow with PKCE, whose token request stays in the process.
extension OpenIDProvider {
    private var consoleClient: ProviderClient? { settings.clients.first(where: \.isConsole) }

    /// A sign-in at the console that a browser begins.
    package struct ConsoleSignIn: Sendable {
        /// Bound to the browser by a cookie. Source: RFC 6749 §10.12.
        package var state: String
        package var verifier: Secret<String>
        package var redirectURI: String
        /// The maximum age of the authentication in seconds; nil for any.
        package var maximumAge: Int?
        /// `true` to ask for the password although the browser is signed in.
        package var isAnew: Bool

        package init(
            state: String, verifier: Secret<String>, redirectURI: String, maximumAge: Int? = nil, isAnew: Bool = false
        ) {
            self.state = state
            self.verifier = verifier
            self.redirectURI = redirectURI
            self.maximumAge = maximumAge
            self.isAnew = isAnew
        }
    }

    /// Returns the query of the authorization endpoint for a sign-in at the console.
    package func query(for signIn: ConsoleSignIn) -> String {
        var parameters: [(name: String, value: String)] = [
            ("client_id", ProviderDirectory.consoleClientID), ("response_type", "code"),
            ("scope", Scope.openid.rawValue),
            ("redirect_uri", signIn.redirectURI), ("state", signIn.state),
            ("code_challenge", CodeChallenge.s256(of: signIn.verifier)), ("code_challenge_method", "S256"),
            ("acr_values", AuthenticationLevel.aal2.rawValue),
        ]
        if let seconds = signIn.maximumAge { parameters.append(("max_age", "\(seconds)")) }
        if signIn.isAnew { parameters.append(("prompt", AuthenticationRequest.Prompt.login.rawValue)) }
        return URLQuery.encode(parameters)
    }

    /// Redeems the code of a sign-in at the console.
    ///
    /// - Returns: The token of the new session.
    package func openConsoleSession(
        code: String, for signIn: ConsoleSignIn, from caller: Caller
    ) async throws(OAuthError) -> Secret<String> {
        guard let client = consoleClient else { throw .invalidClient }
        var parameters = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": signIn.redirectURI,
            "client_id": client.id, "code_verifier": signIn.verifier.reveal(),
        ]
        parameters["client_secret"] = client.secret?.reveal()
        return try await token(parameters, authorization: nil, from: caller).accessToken
    }
}

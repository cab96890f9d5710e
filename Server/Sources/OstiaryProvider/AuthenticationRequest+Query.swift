import OstiaryCore

extension AuthenticationRequest {
    /// The request as a query again, for the time after a sign-in: composed of the parsed parameters, without those
    /// that a fresh sign-in has fulfilled, which would otherwise demand a sign-in forever.
    ///
    /// It goes through the browser and is validated anew when it comes back. A user who changes it gains no more than
    /// by starting over, since a client that depends on it checks `auth_time`. Source: OpenID Connect Core §3.1.2.1.
    package var query: String { query(asking: prompts.intersection([.consent]), hint: loginHint) }

    /// The same request with another account than the signed-in one; nil if the client accepts no other account.
    package var queryForAnotherAccount: String? {
        guard idTokenHint == nil else { return nil }
        return query(asking: prompts.intersection([.consent]).union([.selectAccount]), hint: nil)
    }

    private func query(asking prompts: Set<Prompt>, hint: String?) -> String {
        var parameters: [(name: String, value: String)] = [
            ("client_id", client.id), ("redirect_uri", redirectURI), ("response_type", "code"),
            ("scope", Scope.write(scopes)),
        ]
        func add(_ name: String, _ value: String?) {
            if let value { parameters.append((name, value)) }
        }
        add("state", state)
        add("nonce", nonce)
        add("code_challenge", codeChallenge)
        add("code_challenge_method", codeChallenge.map { _ in "S256" })
        add("prompt", prompts.isEmpty ? nil : prompts.map(\.rawValue).sorted().joined(separator: " "))
        add("max_age", maximumAge.flatMap { $0 > 0 ? "\($0)" : nil })
        add("acr_values", levels.isEmpty ? nil : levels.map(\.rawValue).joined(separator: " "))
        add("login_hint", hint)
        // Kept after a sign-in: another account may have signed in than the expected one.
        add("id_token_hint", idTokenHint?.reveal())
        add("ui_locales", uiLocales)
        add("connection", connection)
        add("dpop_jkt", boundKey)
        return URLQuery.encode(parameters)
    }
}

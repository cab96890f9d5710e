import OstiaryCore

extension AuthenticationRequest {
    /// The request as a query again, for after the person has just signed in: made of what was understood, and without
    /// what a fresh sign-in has fulfilled, which would otherwise ask for it for ever.
    ///
    /// It goes through the browser and is read from the beginning when it comes back. A person who changes it gets no more
    /// than by beginning anew, since a client that cares reads `auth_time`. Source: OpenID Connect Core §3.1.2.1.
    package var query: String { query(asking: prompts.intersection([.consent]), hint: loginHint) }

    /// The same request by somebody else than who is signed in; nil if the client accepts nobody else.
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
        add("login_hint", hint)
        // Kept after a sign-in: it may have been somebody else's.
        add("id_token_hint", idTokenHint?.reveal())
        add("ui_locales", uiLocales)
        add("connection", connection)
        return QueryText.write(parameters)
    }
}

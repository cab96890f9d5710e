public import OstiaryCore

extension BeginBrowserSignIn: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.redirectUri, redirectURI)
        fields.set(.appChallenge, appChallenge)
        fields.set(.provider, provider)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            redirectURI: try required(fields.text(.redirectUri), .redirectUri),
            appChallenge: try fields.text(.appChallenge),
            provider: try fields.text(.provider))
    }
}

extension CompleteBrowserSignIn: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.authorizationCode, authorizationCode)
        fields.set(.state, state)
        fields.set(.redirectUri, redirectURI)
        fields.set(.appVerifier, appVerifier)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            authorizationCode: try required(fields.secret(.authorizationCode), .authorizationCode),
            state: try required(fields.secret(.state), .state),
            redirectURI: try required(fields.text(.redirectUri), .redirectUri),
            appVerifier: try fields.secret(.appVerifier))
    }
}

extension GetSocialConfiguration: WireOperation {
    /// No fields: the operation has no parameters.
    public var fields: Fields { Fields() }
    /// Creates the operation from its fields.
    public init(_ fields: Fields) throws(AuthError) { self.init() }
}

extension BeginSocialSignIn: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.provider, provider)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.notFound` without a provider; `AuthError.invalid` for a field that is missing or not
    ///   acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        guard let provider = try fields.text(.provider) else { throw .notFound }
        self.init(provider: provider)
    }
}

extension CompleteSocialSignIn: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.authorizationCode, authorizationCode)
        fields.set(.state, state)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            authorizationCode: try required(fields.secret(.authorizationCode), .authorizationCode),
            state: try fields.secret(.state))
    }
}

extension SignInWithIdentityToken: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.provider, provider)
        fields.set(.identityToken, identityToken)
        fields.set(.nonce, nonce)
        fields.set(.fullName, fullName?.text)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.notFound` without a provider; `AuthError.invalid` for a field that is missing or not
    ///   acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        guard let provider = try fields.text(.provider) else { throw .notFound }
        self.init(
            provider: provider, identityToken: try required(fields.secret(.identityToken), .identityToken),
            nonce: try required(fields.secret(.nonce), .nonce), fullName: try fields.fullName())
    }
}

extension AnswerChallenge: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.challengeToken, challengeToken)
        fields[.answers] = .map(answers.mapValues { $0.reveal() })
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        guard let value = fields[.answers] else { throw .invalid(.answers, .missing) }
        guard case .map(let answers) = value else { throw .invalid(.answers, .mistyped) }
        self.init(
            challengeToken: try required(fields.secret(.challengeToken), .challengeToken),
            answers: answers.mapValues { Secret($0) })
    }
}

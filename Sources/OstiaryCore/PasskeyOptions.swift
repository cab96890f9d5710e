/// The options of a passkey's registration or authentication. Source: WebAuthn Level 3 §5.1.
public struct PasskeyOptions: Hashable, Sendable {
    /// The token that the response must be sent with; nil for the answer to a challenge, which has a token of its own.
    public var token: Secret<String>?
    /// The `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`.
    public var publicKey: String

    /// Creates options from their parts.
    public init(token: Secret<String>? = nil, publicKey: String) {
        self.token = token
        self.publicKey = publicKey
    }
}

extension PasskeyOptions: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.passkeyToken, token)
        fields[.publicKey] = .json(publicKey)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(token: try fields.secret(.passkeyToken), publicKey: try required(fields.json(.publicKey), .publicKey))
    }
}

/// The response of an authenticator, with the token of the options that it responds to.
public struct PasskeyResponse: Hashable, Sendable {
    /// The ``PasskeyOptions/token`` of the options.
    public var token: Secret<String>
    /// The `RegistrationResponseJSON` or `AuthenticationResponseJSON` of the authenticator. Source: WebAuthn Level 3 §5.1.
    public var credential: String

    /// Creates a response from its parts.
    public init(token: Secret<String>, credential: String) {
        self.token = token
        self.credential = credential
    }
}

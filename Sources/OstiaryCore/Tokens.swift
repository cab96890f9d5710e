/// The tokens of a signed-in client.
public struct Tokens: Hashable, Sendable {
    /// The token that authorizes each request.
    public var accessToken: Secret<String>
    /// The remaining lifetime of the access token when issued; nil if the contract does not send it (the token's `exp`
    /// does).
    public var expiresIn: Duration?
    /// The token that ``Refresh`` exchanges for new tokens; nil for contracts without refresh.
    public var refreshToken: Secret<String>?

    /// Creates a token set from its parts.
    public init(accessToken: Secret<String>, expiresIn: Duration?, refreshToken: Secret<String>?) {
        self.accessToken = accessToken
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
    }
}

/// The result of every operation that opens a session.
public struct SignedIn: Hashable, Sendable {
    /// The tokens of the new session.
    public var tokens: Tokens
    /// The signed-in user; nil if the backend omits it.
    public var user: User?
    /// The secret by which the account recognizes the device at its next sign-in. It is sent in a header, the same in every
    /// contract, and is a new one in every answer; nil from a server that does not recognize devices.
    public var deviceToken: Secret<String>?

    /// Creates a result from its parts.
    public init(tokens: Tokens, user: User?, deviceToken: Secret<String>? = nil) {
        self.tokens = tokens
        self.user = user
        self.deviceToken = deviceToken
    }
}

extension SignedIn: OperationAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = tokens.fields
        fields[.user] = user.map { .object($0.fields) }
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        let user = try fields.object(.user)
        self.init(tokens: try Tokens(fields), user: try user.map { (fields) throws(AuthError) in try User(fields) })
    }

    /// Returns the answer with the secret of the device.
    public func carrying(deviceToken: Secret<String>) -> SignedIn {
        SignedIn(tokens: tokens, user: user, deviceToken: deviceToken)
    }
}

extension Tokens: OperationAnswer {
    /// The only token type that Ostiary issues. Source: RFC 6750.
    public static let type = "Bearer"

    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.accessToken, accessToken)
        fields.set(.refreshToken, refreshToken)
        fields.set(.tokenType, Self.type)
        fields[.expiresIn] = expiresIn.map { .integer(Int($0.components.seconds)) }
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            accessToken: try required(Self.token(.accessToken, in: fields), .accessToken),
            expiresIn: try fields.integer(.expiresIn).map { .seconds($0) },
            refreshToken: try Self.token(.refreshToken, in: fields))
    }

    /// Returns a token that can be sent in a header; nil if the field is absent. Any other text must not replace a
    /// valid token.
    ///
    /// - Throws: `AuthError.invalid` if the text is empty or contains bytes other than printable ASCII without spaces.
    static func token(_ field: Field, in fields: Fields) throws(AuthError) -> Secret<String>? {
        guard let token = try fields.secret(field) else { return nil }
        let bytes = token.reveal().utf8
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalid(field, .malformed)
        }
        return token
    }
}

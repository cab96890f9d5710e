import Foundation
public import OstiaryCore

extension SignedIn: WireAnswer {
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
}

extension Tokens: WireAnswer {
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

extension User: WireAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.id, id.text)
        fields.set(.email, email?.text)
        fields.set(.username, username?.text)
        fields.set(.phoneNumber, phoneNumber?.e164)
        fields.set(.fullName, fullName?.text)
        fields.set(.authProvider, authProvider)
        fields[.roles] = .texts(roles)
        fields[.isAdmin] = .flag(isAdmin)
        return fields
    }

    /// Creates the answer from its fields. Without the field `roles`, the flag `isAdmin` stands for the role `admin`.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        var roles: [String] = []
        if case .texts(let names) = fields[.roles] {
            roles = names
        } else if try fields.flag(.isAdmin) == true {
            roles = [Self.adminRole]
        }
        self.init(
            id: try required(fields.parsed(.id) { (text) throws(FieldProblem) in try AccountID(text) }, .id),
            email: try fields.email(), username: try fields.username(), phoneNumber: try fields.phoneNumber(),
            fullName: try fields.fullName(), roles: roles, authProvider: try fields.text(.authProvider) ?? "local")
    }
}

extension Done: WireAnswer {
    /// No fields: the answer has no content.
    public var fields: Fields { Fields() }
    /// Creates the answer from its fields.
    public init(_ fields: Fields) throws(AuthError) { self.init() }
}

extension PasswordChanged: WireAnswer {
    /// The fields of the tokens; none if there are no tokens.
    public var fields: Fields { tokens?.fields ?? Fields() }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(tokens: fields[.accessToken] == nil ? nil : try Tokens(fields))
    }
}

extension CodeRequested: WireAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.codeSession, codeSession)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(codeSession: try required(fields.text(.codeSession), .codeSession))
    }
}

extension CodeVerified: WireAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.verificationToken, verificationToken)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(verificationToken: try required(fields.secret(.verificationToken), .verificationToken))
    }
}

extension SocialConfiguration: WireAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.domain, domain)
        fields.set(.clientId, clientID)
        fields.set(.audience, audience)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(
            domain: try required(fields.text(.domain), .domain),
            clientID: try required(fields.text(.clientId), .clientId),
            audience: try required(fields.text(.audience), .audience))
    }
}

extension BrowserDestination: WireAnswer {
    /// The URL, both as `location` and as `oauthUrl`; the contract selects one.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.location, url)
        fields.set(.oauthUrl, url)
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        let location = try fields.text(.location)
        let url = if let location { location } else { try fields.text(.oauthUrl) }
        self.init(url: try required(url, .oauthUrl))
    }
}

extension RequestSigningKey: WireAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.keyId, id)
        fields.set(.signingKey, Data(secret.reveal()).base64EncodedString())
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        let id = try required(fields.text(.keyId), .keyId)
        guard SignatureInput.isName(id) else { throw .invalid(.keyId, .malformed) }
        let text = try required(fields.secret(.signingKey), .signingKey)
        guard let key = Data(base64Encoded: text.reveal()), !key.isEmpty else {
            throw .invalid(.signingKey, .malformed)
        }
        self.init(id: id, secret: Secret(Array(key)))
    }
}

extension [SessionSummary]: WireAnswer {
    /// The answer's content by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields[.sessions] = .list(map(\.fields))
        return fields
    }

    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        guard case .list(let sessions) = fields[.sessions] else { throw .invalid(.sessions, .missing) }
        self = []
        for session in sessions { append(try SessionSummary(session)) }
    }
}

extension SessionSummary {
    /// The format of times on the wire: UTC, with a precision of one second. Source: RFC 3339.
    private static let timeStyle = Date.ISO8601FormatStyle()

    var fields: Fields {
        var fields = Fields()
        fields.set(.sessionId, id.text)
        fields.set(.createdAt, createdAt.formatted(Self.timeStyle))
        fields.set(.lastUsedAt, lastUsedAt.formatted(Self.timeStyle))
        fields[.current] = .flag(isCurrent)
        fields[.deviceInfo] = device.map { .object($0.fields) }
        fields.set(.address, address)
        fields.set(.userAgent, userAgent)
        return fields
    }

    init(_ fields: Fields) throws(AuthError) {
        self.init(
            id: try required(
                fields.parsed(.sessionId) { (text) throws(FieldProblem) in try SessionID(text) }, .sessionId),
            createdAt: try Self.time(.createdAt, fields), lastUsedAt: try Self.time(.lastUsedAt, fields),
            isCurrent: try required(fields.flag(.current), .current), device: try fields.device(),
            address: try fields.text(.address), userAgent: try fields.text(.userAgent))
    }

    private static func time(_ field: Field, _ fields: Fields) throws(AuthError) -> Date {
        let text = try required(fields.text(field), field)
        do { return try timeStyle.parse(text) } catch { throw .invalid(field, .malformed) }
    }
}

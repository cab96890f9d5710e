public import OstiaryCore

extension Refresh: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.refreshToken, refreshToken)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(refreshToken: try required(fields.secret(.refreshToken), .refreshToken))
    }
}

extension SignOut: WireOperation {
    /// The operation's parameters by canonical field name; `alsoEnding` repeats the access token if there is no further
    /// one.
    public var fields: Fields {
        var fields = Fields()
        fields.set(.accessToken, accessToken)
        fields.set(.refreshToken, refreshToken)
        fields.set(.alsoEnding, alsoEnding ?? accessToken)
        return fields
    }

    /// Creates the operation from its fields; an `alsoEnding` that equals the access token becomes nil.
    ///
    /// - Throws: `AuthError.invalid` for a field that is not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        let accessToken = try fields.secret(.accessToken)
        let other = try fields.secret(.alsoEnding)
        self.init(
            accessToken: accessToken, refreshToken: try fields.secret(.refreshToken),
            alsoEnding: other.flatMap { Self.isSame($0, accessToken) ? nil : $0 })
    }
}

extension SignOut {
    private static func isSame(_ one: Secret<String>, _ other: Secret<String>?) -> Bool {
        other.map { one.reveal().utf8.elementsEqual($0.reveal().utf8) } ?? false
    }
}

extension ListSessions: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields { .bearing(accessToken) }
    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token.
    public init(_ fields: Fields) throws(AuthError) { self.init(accessToken: try fields.bearer()) }
}

extension IssueSigningKey: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.refreshToken, refreshToken)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.invalid` for a field that is
    ///   missing or not acceptable.
    public init(_ fields: Fields) throws(AuthError) {
        self.init(accessToken: try fields.bearer(), refreshToken: try Tokens.token(.refreshToken, in: fields))
    }
}

extension EndSession: WireOperation {
    /// The operation's parameters by canonical field name.
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.sessionId, sessionID.text)
        return fields
    }

    /// Creates the operation from its fields.
    ///
    /// - Throws: `AuthError.invalidAccessToken` without an access token; `AuthError.notFound` for a missing or
    ///   malformed session id.
    public init(_ fields: Fields) throws(AuthError) {
        let accessToken = try fields.bearer()
        // A malformed session id cannot belong to any session.
        guard case .text(let text) = fields[.sessionId], let id = try? SessionID(text) else { throw .notFound }
        self.init(accessToken: accessToken, sessionID: id)
    }
}

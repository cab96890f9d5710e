public import OstiaryCore

extension Refresh: WireOperation {
    public var fields: Fields {
        var fields = Fields()
        fields.set(.refreshToken, refreshToken)
        return fields
    }

    public init(_ fields: Fields) throws(AuthError) {
        self.init(refreshToken: try required(fields.secret(.refreshToken), .refreshToken))
    }
}

extension SignOut: WireOperation {
    public var fields: Fields {
        var fields = Fields()
        fields.set(.accessToken, accessToken)
        fields.set(.refreshToken, refreshToken)
        fields.set(.alsoEnding, alsoEnding ?? accessToken)
        return fields
    }

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
    public var fields: Fields { .bearing(accessToken) }
    public init(_ fields: Fields) throws(AuthError) { self.init(accessToken: try fields.bearer()) }
}

extension IssueSigningKey: WireOperation {
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.refreshToken, refreshToken)
        return fields
    }

    public init(_ fields: Fields) throws(AuthError) {
        self.init(accessToken: try fields.bearer(), refreshToken: try Tokens.token(.refreshToken, in: fields))
    }
}

extension EndSession: WireOperation {
    public var fields: Fields {
        var fields = Fields.bearing(accessToken)
        fields.set(.sessionId, sessionID.text)
        return fields
    }

    public init(_ fields: Fields) throws(AuthError) {
        let accessToken = try fields.bearer()
        // A session id of another form is one that nobody has.
        guard case .text(let text) = fields[.sessionId], let id = try? SessionID(text) else { throw .notFound }
        self.init(accessToken: accessToken, sessionID: id)
    }
}

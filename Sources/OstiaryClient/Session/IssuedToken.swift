import OstiaryCore

/// An access token, and which session it is of: a 401 is judged by the very token that earned it.
struct IssuedToken: Hashable, Sendable {
    let session: ClientSession.ID
    let token: Secret<String>
    /// What signs requests of the session, if anything does.
    let signingKey: RequestSigningKey?

    init(_ session: ClientSession) {
        self.session = session.id
        token = session.accessToken
        signingKey = session.signingKey
    }
}

import OstiaryCore

/// An access token, and which session it is of: a 401 is judged by the very token that earned it.
struct IssuedToken: Hashable, Sendable {
    let session: ClientSession.ID
    /// Whose it is; nil where the server did not tell.
    let account: AccountID?
    let token: Secret<String>
    /// What signs requests of the session, if anything does.
    let signingKey: RequestSigningKey?

    init(_ session: ClientSession) {
        self.session = session.id
        account = session.accountID
        token = session.accessToken
        signingKey = session.signingKey
    }

    /// Whether a request that was begun with another token may be finished with this one.
    func isOfSamePerson(as other: IssuedToken) -> Bool {
        session == other.session || account != nil && account == other.account
    }
}

import OstiaryCore

/// An access token with the identity of its session. A 401 is attributed to exactly the token that received it.
struct IssuedToken: Hashable, Sendable {
    let session: ClientSession.ID
    /// The account of the session; `nil` if the server did not state it.
    let account: AccountID?
    let token: Secret<String>
    /// The key that signs requests of the session; `nil` if they are not signed.
    let signingKey: RequestSigningKey?
    /// The key that the session's tokens are bound to; `nil` for bearer tokens.
    let boundKey: SessionKey?

    init(_ session: ClientSession) {
        self.session = session.id
        account = session.accountID
        token = session.accessToken
        signingKey = session.signingKey
        boundKey = session.boundKey
    }

    /// The proof of a request with this token; `nil` for a bearer token.
    var proof: RequestProof? { boundKey.map { .session($0) } }

    /// Returns `true` if a request that was started with the other token may be completed with this one.
    func isOfSamePerson(as other: IssuedToken) -> Bool {
        session == other.session || account != nil && account == other.account
    }
}

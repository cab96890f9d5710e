import OstiaryCore
import OstiaryEngine

/// The rate limits of clients and of signed-in browsers, which keep them from filling the store or guessing secrets.
/// Counted in memory, like all limits that only guard against floods. In-process requests have no network and are not
/// limited by address.
extension OpenIDProvider {
    /// Counts a client's request and authenticates the client.
    ///
    /// The request counts against the caller's network before a secret is compared. A right secret gives that count back, and the
    /// request counts against the client instead: one network of a backend sends the requests of many users.
    ///
    /// - Returns: The client, and the caller to perform its request for. The requests of an authenticated client are counted by
    ///   no network, as those from inside the process.
    func countedClient(
        _ parameters: [String: String], authorization: String?, from caller: Caller
    ) throws(OAuthError) -> (client: ProviderClient, caller: Caller) {
        let bucket = caller.network.flatMap { network in
            engine.app.limits.perAddress[.other].map { self.bucket("client/\(network)", $0) }
        }
        if let bucket { try countRequest(bucket) }
        let client = try authenticatedClient(parameters, authorization: authorization)
        guard client.secret != nil, caller.network != nil else { return (client, caller) }
        if let bucket { ports.inMemoryRateLimiter.refund([bucket]) }
        try countRequest(self.bucket("authenticated-client/\(client.id)", client.rateLimit))
        var caller = caller
        caller.network = nil
        return (client, caller)
    }

    /// Counts an authorization code that is issued to an account's browser.
    func countCode(for account: AccountID) throws(AuthError) {
        guard let limit = engine.app.limits.perIdentifier[.browser] else { return }
        try count(bucket("code/\(account.text)", limit))
    }

    private func bucket(_ name: String, _ limit: RateLimit) -> AttemptBucket {
        AttemptBucket(key: "\(app)/provider/\(name)", limit: limit)
    }

    private func countRequest(_ bucket: AttemptBucket) throws(OAuthError) {
        do throws(AuthError) { try count(bucket) } catch { throw OAuthError(error) }
    }

    private func count(_ bucket: AttemptBucket) throws(AuthError) {
        if let wait = ports.inMemoryRateLimiter.count([bucket], at: ports.system.now()) {
            throw .tooManyAttempts(retryAfterSeconds: wait)
        }
    }
}

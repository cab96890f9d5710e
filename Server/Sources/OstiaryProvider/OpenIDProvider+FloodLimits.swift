import OstiaryCore
import OstiaryEngine

/// The rate limits of clients and of signed-in browsers, which keep them from filling the store or guessing secrets.
/// Counted in memory, like all limits that only guard against floods. In-process requests have no network and are not
/// limited by address.
extension OpenIDProvider {
    /// Counts a client's request, before its secret is compared.
    func countClientRequest(from caller: Caller) throws(OAuthError) {
        guard let network = caller.network else { return }
        do throws(AuthError) {
            try count("client/\(network)", engine.app.limits.perAddress[.other])
        } catch {
            throw OAuthError(error)
        }
    }

    /// Counts an authorization code that is issued to an account's browser.
    func countCode(for account: AccountID) throws(AuthError) {
        try count("code/\(account.text)", engine.app.limits.perIdentifier[.browser])
    }

    private func count(_ name: String, _ limit: RateLimit?) throws(AuthError) {
        guard let limit else { return }
        let bucket = AttemptBucket(key: "\(app)/provider/\(name)", limit: limit)
        if let wait = ports.inMemoryRateLimiter.count([bucket], at: ports.system.now()) {
            throw .tooManyAttempts(retryAfterSeconds: wait)
        }
    }
}

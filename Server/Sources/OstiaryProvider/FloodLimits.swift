import OstiaryCore
import OstiaryEngine

/// What clients and signed-in browsers may ask for, so that none fills the store or tries secrets by the thousand. Counted
/// in memory, as everything that only guards against floods. Requests from inside the process have no network.
extension OpenIDProvider {
    /// Counts a request of a program, before its secret is looked at.
    func countClientRequest(from caller: Caller) throws(OAuthError) {
        guard let network = caller.network else { return }
        do throws(AuthError) {
            try count("client/\(network)", engine.app.limits.perAddress[.other])
        } catch {
            throw OAuthError(error)
        }
    }

    /// Counts a code that a person's browser is given.
    func countCode(for account: AccountID) throws(AuthError) {
        try count("code/\(account.text)", engine.app.limits.perIdentifier[.browser])
    }

    private func count(_ name: String, _ limit: RateLimit?) throws(AuthError) {
        guard let limit else { return }
        let bucket = AttemptBucket(key: "\(app)/provider/\(name)", limit: limit)
        if let wait = ports.floods.count([bucket], at: ports.surroundings.now()) {
            throw .tooManyAttempts(retryAfterSeconds: wait)
        }
    }
}

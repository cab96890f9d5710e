import Foundation
import OstiaryContracts
import OstiaryCore

/// The signing of a client's requests: gets each session its key, once, and knows the server's time.
actor RequestSigning {
    /// Gets the key of a session, other than one that the server refused.
    typealias Fetch =
        @Sendable (_ token: IssuedToken, _ stale: RequestSigningKey?) async throws(ClientError) -> RequestSigningKey
    /// Keeps a session's key where the session is kept.
    typealias Keep = @Sendable (_ key: RequestSigningKey, _ session: ClientSession.ID) async -> Void
    /// Sends a request once. Whoever sends it again signs it again: a server takes a nonce once.
    typealias Send = @Sendable (WireRequest) async throws(ClientError) -> WireResponse

    private let baseURL: BaseURL
    private let now: @Sendable () -> Date
    private let nonce: @Sendable () -> String
    private let fetch: Fetch
    private let keep: Keep
    private(set) var skew = ClockSkew()
    private var keys: [ClientSession.ID: RequestSigningKey] = [:]
    private var fetches: [ClientSession.ID: Task<Result<RequestSigningKey, ClientError>, Never>] = [:]

    init(
        baseURL: BaseURL, now: @escaping @Sendable () -> Date,
        nonce: @escaping @Sendable () -> String = RequestSigner.randomNonce, fetch: @escaping Fetch,
        keep: @escaping Keep
    ) {
        self.baseURL = baseURL
        self.now = now
        self.nonce = nonce
        self.fetch = fetch
        self.keep = keep
    }

    /// Signs a request that bears the token, and sends it.
    ///
    /// A refused signature is mended once: by the server's clock where ours was wrong, else with the key that the server
    /// gives now. Nothing was done by the server then, so that this is safe for every method.
    ///
    /// - Throws: What `send` and fetching the key throw.
    func send(_ request: WireRequest, as token: IssuedToken, by send: Send) async throws(ClientError) -> WireResponse {
        let key = try await key(for: token, otherThan: nil)
        let first = try await exchange(request, signedWith: key, by: send)
        guard SignatureRefusal.isMeant(by: first.response) else { return first.response }
        var other = key
        if !first.wasClockWrong {
            do {
                other = try await self.key(for: token, otherThan: key)
            } catch .refused(.signingKeyAlreadyIssued) {
                return first.response
            }
        }
        return try await exchange(request, signedWith: other, by: send).response
    }

    /// Gets the session's key if it is not at hand.
    func prepare(for token: IssuedToken) async throws(ClientError) { _ = try await key(for: token, otherThan: nil) }

    /// Forgets the key of a session that is over.
    func forget(_ session: ClientSession.ID) { keys[session] = nil }

    private func exchange(
        _ request: WireRequest, signedWith key: RequestSigningKey, by send: Send
    ) async throws(ClientError) -> (response: WireResponse, wasClockWrong: Bool) {
        let sentAt = now()
        let signed = try RequestSigner(key: key)
            .sign(request, to: baseURL, at: skew.serverTime(at: sentAt), nonce: nonce())
        let before = skew
        let response = try await send(signed)
        skew.learn(from: response, sentAt: sentAt, receivedAt: now())
        // Another answer may have set the clock meanwhile: what counts is what this request was signed by.
        return (response, skew.isNotablyOther(than: before))
    }

    private func key(
        for token: IssuedToken, otherThan stale: RequestSigningKey?
    ) async throws(ClientError) -> RequestSigningKey {
        if let key = keys[token.session] ?? token.signingKey, key != stale { return key }
        let fetching =
            fetches[token.session]
            ?? Task { [fetch, keep] in
                let result: Result<RequestSigningKey, ClientError>
                do throws(ClientError) {
                    let key = try await fetch(token, stale)
                    await keep(key, token.session)
                    result = .success(key)
                } catch {
                    result = .failure(error)
                }
                return result
            }
        fetches[token.session] = fetching
        let result = await fetching.value
        if fetches[token.session] == fetching { fetches[token.session] = nil }
        let key = try result.get()
        keys[token.session] = key
        return key
    }
}

import Foundation
import OstiaryContracts
import OstiaryCore

/// The signing of a client's requests: a state, and the source of its keys.
struct RequestSigning: Sendable {
    /// Gets the key of a session, other than one that the server refused.
    typealias Fetch =
        @Sendable (_ token: IssuedToken, _ stale: RequestSigningKey?) async throws(ClientError) -> RequestSigningKey
    /// Keeps a session's key where the session is kept.
    typealias Keep = @Sendable (_ key: RequestSigningKey, _ session: ClientSession.ID) async -> Void
    /// Sends a request once. Whoever sends it again signs it again: a server takes a nonce once.
    typealias Send = @Sendable (WireRequest) async throws(ClientError) -> WireResponse

    private let state: SigningState
    private let fetch: Fetch
    private let keep: Keep

    init(_ state: SigningState, fetch: @escaping Fetch, keep: @escaping Keep) {
        self.state = state
        self.fetch = fetch
        self.keep = keep
    }

    init(
        baseURL: BaseURL, now: @escaping @Sendable () -> Date,
        nonce: @escaping @Sendable () -> String = RequestSigner.randomNonce, fetch: @escaping Fetch,
        keep: @escaping Keep
    ) {
        self.init(SigningState(baseURL: baseURL, now: now, nonce: nonce), fetch: fetch, keep: keep)
    }

    /// How far the server's clock is ahead, as learnt from its answers.
    var skew: ClockSkew { get async { await state.skew } }

    /// Signs a request that bears the token, and sends it.
    ///
    /// A refused signature is mended once: by the server's clock where ours was wrong, else with the key that the server
    /// gives now. Nothing was done by the server then, so that this is safe for every method.
    ///
    /// - Throws: What `send` and fetching the key throw.
    func send(_ request: WireRequest, as token: IssuedToken, by send: Send) async throws(ClientError) -> WireResponse {
        try await state.send(request, as: token, keysFrom: self, by: send)
    }

    /// Gets the session's key if it is not at hand.
    func prepare(for token: IssuedToken) async throws(ClientError) {
        try await state.prepare(for: token, keysFrom: self)
    }

    /// Forgets the key of a session that is over.
    func forget(_ session: ClientSession.ID) async { await state.forget(session) }

    /// Gets a key from the source, and keeps it with its session.
    fileprivate func fetchKey(
        for token: IssuedToken, otherThan stale: RequestSigningKey?
    ) async -> Result<RequestSigningKey, ClientError> {
        do throws(ClientError) {
            let key = try await fetch(token, stale)
            await keep(key, token.session)
            return .success(key)
        } catch {
            return .failure(error)
        }
    }
}

/// The keys of sessions that are at hand, the requests for keys under way, and the server's time.
///
/// It has no source of keys: each call brings its own, so that the keeper of sessions can have it and be the source.
actor SigningState {
    private let baseURL: BaseURL
    private let now: @Sendable () -> Date
    private let nonce: @Sendable () -> String
    private(set) var skew = ClockSkew()
    private var keys: [ClientSession.ID: RequestSigningKey] = [:]
    private var fetches: [ClientSession.ID: Task<Result<RequestSigningKey, ClientError>, Never>] = [:]

    init(
        baseURL: BaseURL, now: @escaping @Sendable () -> Date,
        nonce: @escaping @Sendable () -> String = RequestSigner.randomNonce
    ) {
        self.baseURL = baseURL
        self.now = now
        self.nonce = nonce
    }

    fileprivate func send(
        _ request: WireRequest, as token: IssuedToken, keysFrom source: RequestSigning, by send: RequestSigning.Send
    ) async throws(ClientError) -> WireResponse {
        let key = try await key(for: token, otherThan: nil, from: source)
        let first = try await exchange(request, signedWith: key, by: send)
        guard SignatureRefusal.isMeant(by: first.response) else { return first.response }
        var other = key
        if !first.wasClockWrong {
            do {
                other = try await self.key(for: token, otherThan: key, from: source)
            } catch .refused(.signingKeyAlreadyIssued) {
                return first.response
            }
        }
        return try await exchange(request, signedWith: other, by: send).response
    }

    fileprivate func prepare(for token: IssuedToken, keysFrom source: RequestSigning) async throws(ClientError) {
        _ = try await key(for: token, otherThan: nil, from: source)
    }

    fileprivate func forget(_ session: ClientSession.ID) { keys[session] = nil }

    private func exchange(
        _ request: WireRequest, signedWith key: RequestSigningKey, by send: RequestSigning.Send
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
        for token: IssuedToken, otherThan stale: RequestSigningKey?, from source: RequestSigning
    ) async throws(ClientError) -> RequestSigningKey {
        if let key = keys[token.session] ?? token.signingKey, key != stale { return key }
        let fetching = fetches[token.session] ?? Task { await source.fetchKey(for: token, otherThan: stale) }
        fetches[token.session] = fetching
        let result = await fetching.value
        if fetches[token.session] == fetching { fetches[token.session] = nil }
        let key = try result.get()
        keys[token.session] = key
        return key
    }
}

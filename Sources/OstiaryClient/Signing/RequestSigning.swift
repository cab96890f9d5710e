import Foundation
import OstiaryContracts
import OstiaryCore

/// The signing of a client's requests: its state, and the source of its keys.
struct RequestSigning: Sendable {
    /// Fetches the key of a session, other than one that the server rejected.
    typealias Fetch =
        @Sendable (_ token: IssuedToken, _ stale: RequestSigningKey?) async throws(ClientError) -> RequestSigningKey
    /// Stores a session's key with the session.
    typealias Keep = @Sendable (_ key: RequestSigningKey, _ session: ClientSession.ID) async -> Void
    /// Sends a request once. A repetition must be signed again: a server accepts a nonce once.
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

    /// The offset of the server's clock, learned from its answers.
    var skew: ClockSkew { get async { await state.skew } }

    /// Signs a request that carries the token, and sends it.
    ///
    /// A rejected signature is corrected once: with the server's time if the offset was wrong, else with a key fetched
    /// again. The server has not executed the request in that case, so the repetition is safe for every method.
    ///
    /// - Throws: The errors of `send` and of fetching the key.
    func send(_ request: WireRequest, as token: IssuedToken, by send: Send) async throws(ClientError) -> WireResponse {
        try await state.send(request, as: token, keysFrom: self, by: send)
    }

    /// Fetches the session's key if it is not in memory.
    func prepare(for token: IssuedToken) async throws(ClientError) {
        try await state.prepare(for: token, keysFrom: self)
    }

    /// Fetches a key from the source, and stores it with its session.
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

/// The keys of sessions in memory, the fetches of keys in flight, and the offset of the server's clock.
///
/// It has no source of keys: each call passes its own, so that ``SessionKeeper`` can own it and be the source.
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
        guard SignatureRefusal.isRequested(by: first.response) else { return first.response }
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

    /// Removes the key of a session that has ended, and discards the result of a fetch in flight.
    func forget(_ session: ClientSession.ID) {
        keys[session] = nil
        fetches[session] = nil
    }

    private func exchange(
        _ request: WireRequest, signedWith key: RequestSigningKey, by send: RequestSigning.Send
    ) async throws(ClientError) -> (response: WireResponse, wasClockWrong: Bool) {
        let sentAt = now()
        let signed = try RequestSigner(key: key)
            .sign(request, to: baseURL, at: skew.serverTime(at: sentAt), nonce: nonce())
        let before = skew
        let response = try await send(signed)
        skew.update(from: response, sentAt: sentAt, receivedAt: now())
        // Another answer may have changed the offset meanwhile: the comparison is with the offset that signed this
        // request.
        return (response, skew.differsNotably(than: before))
    }

    private func key(
        for token: IssuedToken, otherThan stale: RequestSigningKey?, from source: RequestSigning
    ) async throws(ClientError) -> RequestSigningKey {
        if let key = keys[token.session] ?? token.signingKey, key != stale { return key }
        let fetching = fetches[token.session] ?? Task { await source.fetchKey(for: token, otherThan: stale) }
        fetches[token.session] = fetching
        let result = await fetching.value
        guard fetches[token.session] == fetching else { return try result.get() }
        fetches[token.session] = nil
        let key = try result.get()
        keys[token.session] = key
        return key
    }
}

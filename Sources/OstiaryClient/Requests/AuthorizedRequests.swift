import Foundation
import OstiaryContracts
import OstiaryCore

/// Sends requests to the app's own server with the access token of the signed-in user, and repeats them where that can
/// help.
struct AuthorizedRequests: Sendable {
    let auth: RemoteAuth
    let tokens: any TokenSource
    /// The signing of requests; nil if they are not signed.
    let signing: RequestSigning?
    let system: ClientDependencies
    let options: RequestOptions
    let events: Broadcast<ClientEvent>
    private let throttle: RequestThrottle

    init(
        auth: RemoteAuth, tokens: any TokenSource, signing: RequestSigning? = nil, system: ClientDependencies,
        options: RequestOptions, events: Broadcast<ClientEvent>
    ) {
        self.auth = auth
        self.tokens = tokens
        self.signing = signing
        self.system = system
        self.options = options
        self.events = events
        throttle = RequestThrottle(options.limit, system: system, events: events)
    }

    /// Sends a request with the session's token, and after a 401 once more with a replacement.
    ///
    /// - Parameters:
    ///   - deadline: The time limit for the whole call; nil for the options'. A refresh that the call waits for has its
    ///     own deadline.
    ///   - owner: A token of the user whose request it is; nil for the current user.
    /// - Returns: The answer, regardless of its status, except 401.
    /// - Throws: ``ClientError/unauthorized`` for a 401 that persists with another token.
    func send(
        _ request: WireRequest, within deadline: Duration? = nil, of owner: IssuedToken? = nil
    ) async throws(ClientError) -> WireResponse {
        let end = system.uptime() + (deadline ?? options.deadline)
        do {
            let answer = try await self.answer(to: request.checkedForSending(), by: end, of: owner)
            events.send(.request(status: answer.status, failure: nil))
            return answer
        } catch {
            if error == .certificatePinningFailed { events.send(.pinMismatch) }
            events.send(.request(status: error == .unauthorized ? 401 : nil, failure: FailureCode(error)))
            throw error
        }
    }

    private func answer(
        to request: WireRequest, by end: Duration, of owner: IssuedToken?
    ) async throws(ClientError) -> WireResponse {
        let isRepeatable = RetryPolicy.isRepeatable(request)
        var owner = owner
        var replacement: IssuedToken?
        var isReplayed = false
        var retries = 0
        while true {
            let token = try await pass(with: replacement, by: end)
            // A request that began with one user's token is never completed with another user's.
            guard owner.map(token.isOfSamePerson) ?? true else { throw .notSignedIn }
            owner = token
            if replacement != nil { events.send(.replayed) }
            replacement = nil

            let outcome = await attempt(request, with: token, by: end, isRepeatable: isRepeatable)
            if case .success(let answer) = outcome, answer.status == 401 {
                let next = try await self.replacement(for: token, after: answer, isReplayed: isReplayed)
                replacement = next
                isReplayed = true
                continue
            }
            if case .failure(.refused(let refusal)) = outcome, refusal.isAboutAccessToken, !isReplayed {
                // The signing key could not be fetched with this token. Nothing has been sent.
                replacement = try await tokens.replacement(for: token, refusal: refusal)
                isReplayed = true
                continue
            }
            if case .success(let answer) = outcome, (200..<300).contains(answer.status) { tokens.accepted(token) }
            guard let wait = waitBeforeNext(after: outcome, isRepeatable: isRepeatable, retries: retries, by: end)
            else {
                return try outcome.get()
            }
            retries += 1
            do { try await system.sleep(wait) } catch { throw .cancelled }
        }
    }

    /// Waits for the throttle, then for the token, which may have changed in the meantime.
    private func pass(with replacement: IssuedToken?, by end: Duration) async throws(ClientError) -> IssuedToken {
        guard system.uptime() < end else { throw .network(.timedOut) }
        try await throttle.pass(by: end, isReplay: replacement != nil)
        if let replacement { return replacement }
        return try await tokens.token()
    }

    private func attempt(
        _ request: WireRequest, with token: IssuedToken, by end: Duration, isRepeatable: Bool
    ) async -> Result<WireResponse, ClientError> {
        let remaining = end - system.uptime()
        guard remaining > .zero else { return .failure(.network(.timedOut)) }
        let limit = min(isRepeatable ? options.retries.attemptDeadline ?? remaining : remaining, remaining)
        // One limit for all transmissions of the attempt.
        let attemptEnd = system.uptime() + limit
        let request = authorized(request, with: token)
        do throws(ClientError) {
            return .success(
                try await auth.proving(request, of: token) { request throws(ClientError) in
                    guard let signing else { return try await send(request, until: attemptEnd) }
                    // Signed anew for each proof: the server accepts a signature once.
                    return try await signing.send(request, as: token) { request throws(ClientError) in
                        try await send(request, until: attemptEnd)
                    }
                })
        } catch {
            return .failure(error)
        }
    }

    private func send(_ request: WireRequest, until end: Duration) async throws(ClientError) -> WireResponse {
        let remaining = end - system.uptime()
        guard remaining > .zero else { throw .network(.timedOut) }
        do {
            return try await auth.send(request, within: remaining)
        } catch {
            // Unlike `invalidResponse`, with which a refresh can fail before the request is sent, it says that the
            // server has answered this request.
            if case .tooLarge = error { throw .network(error) }
            throw ClientError(error)
        }
    }

    /// Returns the request with the headers that every request of the app carries.
    private func authorized(_ request: WireRequest, with token: IssuedToken) -> WireRequest {
        var request = request
        request.headers["authorization"] = BearerToken.write(token.token.reveal())
        // Set with or without a body, because the contract timetracker requires it.
        request.headers["content-type"] = request.headers["content-type"] ?? "application/json"
        request.headers["accept"] = request.headers["accept"] ?? "application/json"
        return request
    }

    /// Returns the wait before the next attempt; nil if the outcome is final.
    private func waitBeforeNext(
        after outcome: Result<WireResponse, ClientError>, isRepeatable: Bool, retries: Int, by end: Duration
    ) -> Duration? {
        let attempt: RetryPolicy.Outcome
        var pause: Duration?
        switch outcome {
        case .success(let answer):
            // A feature that is not configured will not become available by waiting.
            guard answer.status != 503 || refusal(in: answer) != .notConfigured else { return nil }
            pause = answer.pause(at: system.now())
            attempt = .answered(status: answer.status, retryAfter: pause)
            if let pause { throttle.close(for: pause) }
        case .failure(let error):
            guard let error = error.onTheWay else { return nil }
            attempt = .failed(error)
        }
        let verdict = options.retries.verdict(
            on: attempt, repeatable: isRepeatable, retries: retries, remaining: end - system.uptime(),
            chance: system.randomFraction())
        guard case .retry(let wait) = verdict else { return nil }
        if pause != nil { events.send(.heldBack(wait)) }
        return wait
    }
}

// MARK: 401

extension AuthorizedRequests {
    /// Returns the token for the one repetition after a 401.
    private func replacement(
        for token: IssuedToken, after answer: WireResponse, isReplayed: Bool
    ) async throws(ClientError) -> IssuedToken {
        let refusal = refusal(in: answer)
        switch refusal {
        // The 401 is about a password in the request; a repetition would count as a second attempt with it.
        case .wrongCredentials, .challengeRequired, .challengeRefused: throw .refused(refusal)
        // The signature was corrected once already, if possible. The token is not the cause.
        case _ where SignatureRefusal.isRequested(by: answer): throw .refused(.signatureRefused)
        // The proof was corrected already, if possible. The token is not the cause.
        case .useDPoPNonce: throw .refused(refusal)
        case _ where answer.isProofRefused: throw .refused(.invalidDPoPProof)
        case _ where DPoPHeader.asksForNonce(answer):
            throw .refused(.useDPoPNonce(nonce: DPoPHeader.nonce(in: answer) ?? ""))
        default: break
        }
        guard isReplayed else { return try await tokens.replacement(for: token, refusal: refusal) }
        if auth.contract.rules.refresh == nil {
            // The first 401 was about an earlier token; this one ends the session, which cannot be refreshed.
            _ = try await tokens.replacement(for: token, refusal: refusal)
        }
        throw .unauthorized
    }

    /// Returns the reason why the server rejected the token.
    private func refusal(in answer: WireResponse) -> AuthError {
        guard auth.codec.endpoint(for: .currentUser) != nil else { return .invalidAccessToken }
        do {
            _ = try auth.codec.read(answer, to: CurrentUser.self)
            return .invalidAccessToken
        } catch {
            return error
        }
    }
}

extension WireResponse {
    /// Returns the pause that the server asks for; nil if it named none.
    func pause(at now: Date) -> Duration? {
        guard status == 429 || status == 503 else { return nil }
        return RetryAfter.seconds(in: self, now: Int(now.timeIntervalSince1970)).map { .seconds($0) }
    }
}

import OstiaryContracts
import OstiaryCore

/// Sends the app's own requests in the name of whoever is signed in.
protocol AuthorizedSending: Sendable {
    /// Who is signed in and in use, as far as is known.
    var personNow: QueueOwner? { get }
    /// Who is signed in and in use; waits while the store has not told.
    ///
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, ``ClientError/cancelled``.
    func person() async throws(ClientError) -> QueueOwner
    /// Sends a request with the owner's token, refreshed where it must be and once more after a 401, and returns the answer
    /// whatever its status.
    ///
    /// Every token is looked at before it is used: where the one in use is somebody else's, nothing is sent.
    ///
    /// - Throws: ``ClientError/notSignedIn`` if the owner is not the one who is signed in and in use;
    ///   ``ClientError/sessionEnded(_:)`` if the owner's session is over and has been cleared.
    func send(_ request: WireRequest, as owner: QueueOwner) async throws(ClientError) -> WireResponse
}

/// Where tokens come from: the part of ``SessionKeeper`` that sending needs.
protocol SignedInTokens: Sendable {
    var state: SessionState { get }
    var states: AsyncStream<SessionState> { get }
    func token() async throws(ClientError) -> IssuedToken
    func replacement(for used: IssuedToken, refusal: AuthError) async throws(ClientError) -> IssuedToken
}

extension SessionKeeper: SignedInTokens {}

/// Sends with the tokens of whoever is signed in.
struct SignedInSending: AuthorizedSending {
    let auth: RemoteAuth
    let tokens: any SignedInTokens

    var personNow: QueueOwner? { if case .signedIn(let session, _) = tokens.state { owner(session) } else { nil } }

    func person() async throws(ClientError) -> QueueOwner {
        for await state in tokens.states {
            switch state {
            case .unknown: continue
            case .signedOut: throw .notSignedIn
            case .locked: throw .locked
            case .signedIn(let session, _): return owner(session)
            }
        }
        throw Task.isCancelled ? .cancelled : .notSignedIn
    }

    func send(_ request: WireRequest, as owner: QueueOwner) async throws(ClientError) -> WireResponse {
        let token = try await tokens.token()
        let answer = try await send(request, with: token, as: owner)
        guard answer.status == 401 else { return answer }
        return try await send(
            request, with: try await tokens.replacement(for: token, refusal: .invalidAccessToken), as: owner)
    }

    private func send(
        _ request: WireRequest, with token: IssuedToken, as owner: QueueOwner
    ) async throws(ClientError) -> WireResponse {
        // Somebody else may have signed in, or come to the fore, at any await before this.
        guard self.owner(of: token.session, token.account) == owner else { throw .notSignedIn }
        var request = request
        request.headers["authorization"] = BearerToken.write(token.token.reveal())
        do { return try await auth.send(request) } catch {
            switch error {
            case .offline: throw .offline
            case .pinMismatch: throw .certificatePinningFailed
            case .cancelled: throw .cancelled
            default: throw .network(error)
            }
        }
    }

    private func owner(_ session: SessionSnapshot) -> QueueOwner { owner(of: session.id, session.accountID) }

    private func owner(of session: ClientSession.ID, _ account: AccountID?) -> QueueOwner {
        QueueOwner(
            contract: auth.contract.name, baseURL: auth.baseURL,
            person: account.map { .account($0) } ?? .session(session))
    }
}

import OstiaryContracts
import OstiaryCore

/// A sender of the app's own requests with the access token of the signed-in user.
protocol AuthorizedSending: Sendable {
    /// The signed-in user of the current session, as far as known.
    var personNow: QueueOwner? { get }
    /// Returns the signed-in user of the current session; waits while the store has not answered.
    ///
    /// - Throws: ``ClientError/notSignedIn``, ``ClientError/locked``, ``ClientError/cancelled``.
    func person() async throws(ClientError) -> QueueOwner
    /// Sends a request with the owner's token, refreshed if necessary and repeated once after a 401, and returns the
    /// answer regardless of its status.
    ///
    /// Every token is checked before it is used: if the current one belongs to another user, nothing is sent.
    ///
    /// - Throws: ``ClientError/notSignedIn`` if the owner is not the current user; ``ClientError/sessionEnded(_:)`` if
    ///   the owner's session has ended and has been removed.
    func send(_ request: WireRequest, as owner: QueueOwner) async throws(ClientError) -> WireResponse
}

/// The implementation that sends as the app's own requests are sent, and only with the owner's token.
struct SignedInSending: AuthorizedSending {
    let requests: AuthorizedRequests
    let sessions: any SignedInSessions

    var personNow: QueueOwner? { if case .signedIn(let session, _) = sessions.state { owner(session) } else { nil } }

    func person() async throws(ClientError) -> QueueOwner {
        for await state in sessions.states {
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
        let token = try await requests.tokens.token()
        guard self.owner(of: token.session, token.account) == owner else { throw .notSignedIn }
        do {
            return try await requests.send(request, of: token)
        } catch {
            // Another user's session ended meanwhile: nothing is known about the owner's.
            if case .sessionEnded = error, let now = personNow, now != owner { throw .notSignedIn }
            throw error
        }
    }

    private func owner(_ session: SessionSnapshot) -> QueueOwner { owner(of: session.id, session.accountID) }

    private func owner(of session: ClientSession.ID, _ account: AccountID?) -> QueueOwner {
        QueueOwner(
            contract: requests.auth.contract.name, baseURL: requests.auth.baseURL,
            person: account.map { .account($0) } ?? .session(session))
    }
}

/// The part of ``SessionKeeper`` that a queue needs: the current state and its changes.
protocol SignedInSessions: Sendable {
    var state: SessionState { get }
    var states: AsyncStream<SessionState> { get }
}

extension SessionKeeper: SignedInSessions {}

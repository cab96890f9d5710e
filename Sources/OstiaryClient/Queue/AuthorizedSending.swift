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

/// Sends as the app's own requests are sent, and as nobody but the owner.
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
            // Somebody else's session ended meanwhile: of the owner's nothing is known.
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

/// Who is signed in, and who is next: the part of ``SessionKeeper`` that a queue needs.
protocol SignedInSessions: Sendable {
    var state: SessionState { get }
    var states: AsyncStream<SessionState> { get }
}

extension SessionKeeper: SignedInSessions {}

import Foundation
public import OstiaryContracts
public import OstiaryCore

/// The session that a store holds, for a program that runs one command and ends.
///
/// It keeps nothing in memory between calls: the store is read each time, so that any number of processes can share it.
public struct SavedSession: Sendable {
    public let auth: RemoteAuth
    let store: any TokenStore
    let surroundings: ClientSurroundings

    public init(auth: RemoteAuth, store: any TokenStore, surroundings: ClientSurroundings = .system) {
        self.auth = auth
        self.store = store
        self.surroundings = surroundings
    }

    /// Stores the session of someone who has just signed in.
    ///
    /// The session that was stored before, if any, is ended: nobody could use it any more.
    ///
    /// - Parameter account: What they signed in as; used where the server did not tell.
    public func begin(_ signedIn: SignedIn, account: String) async throws(SessionFailure) {
        let now = surroundings.now()
        let record = SessionRecord(
            contract: auth.contract.name, baseURL: auth.baseURL, accountID: signedIn.user?.id,
            account: signedIn.user?.label ?? account, accessToken: signedIn.tokens.accessToken,
            refreshToken: signedIn.tokens.refreshToken,
            expiresAt: AccessTokenExpiry(signedIn.tokens, receivedAt: now)?.date, savedAt: now)
        let locked = try await lock()
        let former = locked.read()
        do { try locked.write(record) } catch { throw .store(error) }
        locked.unlock()
        if case .found(let former) = former, isOurs(former) { _ = await tellServer(theEndOf: former) }
    }

    /// What is stored, without asking the server; nil if nobody is signed in.
    public func stored() async throws(SessionFailure) -> SessionRecord? {
        do { return try found(await store.read()) } catch .notSignedIn { return nil }
    }

    /// Who is signed in, according to the server.
    public func currentUser() async throws(SessionFailure) -> User {
        let request: WireRequest
        do { request = try auth.codec.write(CurrentUser(accessToken: Secret(""))) } catch { throw .refused(.notFound) }
        let response = try await send(request)
        do { return try auth.codec.read(response, to: CurrentUser.self) } catch { throw .refused(error) }
    }

    /// Sends a request of the app's own API as the signed-in person, and returns the answer whatever its status.
    ///
    /// - Parameter target: The path below the base URL, with the query if there is one, both percent-encoded.
    public func request(_ method: String, _ target: String, body: JSON? = nil) async throws(SessionFailure)
        -> WireResponse
    {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return try await send(
            WireRequest(
                method: method, path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : "",
                body: body?.bytes ?? []))
    }

    /// Sends a request with the session's access token, refreshed first where it has run out, and after a 401 once more.
    ///
    /// - Returns: The answer, whatever its status. A 401 is one that a fresh token did not help.
    public func send(_ request: WireRequest) async throws(SessionFailure) -> WireResponse {
        let record = try await freshRecord()
        let answer = try await send(request, with: record)
        guard answer.status == 401 else { return answer }
        let next = try await renew(record, refusal: refusal(in: answer))
        let second = try await send(request, with: next)
        if second.status == 401, next.refreshToken == nil {
            // Another process signed in while the first request was under way, and that session is over as well.
            _ = try await renew(next, refusal: refusal(in: second))
        }
        return second
    }

    private func send(_ request: WireRequest, with record: SessionRecord) async throws(SessionFailure) -> WireResponse {
        var request = request
        request.headers["authorization"] = BearerToken.write(record.accessToken.reveal())
        request.headers["content-type"] = "application/json"
        request.headers["accept"] = "application/json"
        do { return try await auth.send(request) } catch { throw .unreachable(error) }
    }

    /// Why the server did not accept the token.
    private func refusal(in answer: WireResponse) -> AuthError {
        do {
            _ = try auth.codec.read(answer, to: CurrentUser.self)
            return .invalidAccessToken
        } catch {
            return error
        }
    }

    // MARK: Store

    func lock() async throws(SessionFailure) -> any LockedTokenStore {
        do { return try await store.lock() } catch { throw .store(error) }
    }

    /// The record that a store answered, if it is one of this server.
    func found(_ answer: StoredSession) throws(SessionFailure) -> SessionRecord {
        switch answer {
        case .found(let record):
            // A token is for the server that gave it, and for no other.
            guard isOurs(record) else { throw .notSignedIn }
            return record
        case .absent: throw .notSignedIn
        case .unavailable(let problem): throw .store(problem)
        }
    }

    func isOurs(_ record: SessionRecord) -> Bool {
        record.contract == auth.contract.name && record.baseURL == auth.baseURL
    }
}

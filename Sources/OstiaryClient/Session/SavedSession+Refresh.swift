import Foundation
import OstiaryContracts
import OstiaryCore

extension SavedSession {
    /// With so little time left a token may run out on its way to the server.
    private static let lead: TimeInterval = 10
    /// From reading the store to the last byte of the answer. The server answers an earlier refresh token for 30 s after its
    /// successor's first use, so a request that leaves well within that is never taken for theft.
    private static let budget: Duration = .seconds(15)
    /// Repetitions after a lost answer or a server error.
    private static let retries = 3

    /// The stored record with a token that is good for a request.
    func freshRecord() async throws(SessionFailure) -> SessionRecord {
        let record = try found(await store.read())
        guard isStale(record) else { return record }
        guard record.refreshToken != nil else {
            if isExpired(record) { throw .ended(.invalidAccessToken) }
            return record
        }
        do {
            return try await renew(record, refusal: .invalidAccessToken)
        } catch {
            switch error {
            case .notSignedIn, .ended: throw error
            // Whatever it was may pass, and the token still works.
            case .refused, .unreachable, .store: if isExpired(record) { throw error }
            }
            return record
        }
    }

    /// A record with another access token than `used`: a sibling process's, or a refreshed one, saved before it is returned.
    ///
    /// - Parameter refusal: Why the access token is no good, if the session ends over it.
    func renew(_ used: SessionRecord, refusal: AuthError) async throws(SessionFailure) -> SessionRecord {
        let locked = try await lock()
        defer { locked.unlock() }
        let start = surroundings.uptime()
        let record = try found(locked.read())
        if record.accessToken != used.accessToken, record.refreshToken == nil || !isStale(record) { return record }
        guard let refreshToken = record.refreshToken else { throw end(locked, refusal) }
        switch await refresh(refreshToken, since: start) {
        case .renewed(let tokens):
            let renewed = record.renewed(with: tokens, at: surroundings.now())
            // Unsaved, it is not used either: its first use would turn the stored one into a stolen one, 30 s later.
            do { try locked.write(renewed) } catch { throw .store(error) }
            return renewed
        case .over(let refusal):
            if case .found(let other) = locked.read(), isOurs(other), other.refreshToken != refreshToken {
                return other
            }
            throw end(locked, refusal)
        case .retryAtOnce(let error): throw .unreachable(error)
        case .retryLater(let error): throw .refused(error)
        case .keep(let failure): throw failure
        }
    }

    private func end(_ locked: any LockedTokenStore, _ refusal: AuthError) -> SessionFailure {
        // A record that cannot be removed holds a dead token: the next command is told the same.
        try? locked.clear()
        return .ended(refusal)
    }

    /// Asks the server, and again with the same token where that can help.
    private func refresh(_ token: Secret<String>, since start: Duration) async -> RefreshVerdict {
        var verdict = RefreshVerdict(.timedOut)
        for attempt in 0...Self.retries {
            if case .retryLater = verdict {
                let wait = Duration.milliseconds(500 << attempt) * surroundings.randomFraction()
                guard remaining(since: start) > wait, (try? await surroundings.sleep(wait)) != nil else { break }
            }
            guard remaining(since: start) > .zero else { break }
            do {
                let answer = try await auth.exchange(Refresh(refreshToken: token), within: remaining(since: start))
                verdict = RefreshVerdict(answer, of: auth.codec)
            } catch {
                switch error {
                case .refused(let refusal): verdict = .keep(.refused(refusal))
                case .unreachable(let error): verdict = RefreshVerdict(error)
                }
            }
            switch verdict {
            case .retryAtOnce, .retryLater: continue
            case .renewed, .over, .keep: return verdict
            }
        }
        return verdict
    }

    private func remaining(since start: Duration) -> Duration { Self.budget - (surroundings.uptime() - start) }

    // MARK: Freshness

    /// Whether the token is to be replaced before it is used: never before half its life.
    private func isStale(_ record: SessionRecord) -> Bool {
        guard let expiry = record.expiresAt else { return false }
        let lifetime = expiry.timeIntervalSince(record.savedAt)
        return expiry.timeIntervalSince(surroundings.now()) <= min(Self.lead, lifetime / 2)
    }

    func isExpired(_ record: SessionRecord) -> Bool {
        record.expiresAt.map { $0 <= surroundings.now() } ?? false
    }
}

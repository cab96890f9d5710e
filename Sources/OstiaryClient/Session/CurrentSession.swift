import OstiaryCore

/// The session in use, as this process knows it. Every change is published immediately.
///
/// Owned by one ``SessionKeeper`` and used in its isolation only.
final class CurrentSession {
    private enum LocalState {
        /// The store has not been read yet, or cannot be read.
        case unknown
        case signedOut(SignedOutReason)
        case signedIn(HeldSession)
    }

    private let published: PublishedSession
    private let appLock: AppLock?
    private let lead: Duration
    private let timer: RefreshTimer
    private var state = LocalState.unknown

    init(published: PublishedSession, appLock: AppLock?, lead: Duration, timer: RefreshTimer) {
        self.published = published
        self.appLock = appLock
        self.lead = lead
        self.timer = timer
    }

    var held: HeldSession? { if case .signedIn(let held) = state { held } else { nil } }

    /// Returns the session in use if it has this identifier.
    func held(_ id: ClientSession.ID) -> HeldSession? {
        held.flatMap { $0.session.id == id ? $0 : nil }
    }

    var isUnknown: Bool { if case .unknown = state { true } else { false } }

    /// The error to throw from a call that needs a session.
    var signedOutError: ClientError {
        if case .signedOut(.ended(let refusal)) = state { .sessionEnded(refusal) } else { .notSignedIn }
    }

    /// The error to throw from a call that the app lock blocked.
    var lockedError: ClientError { held == nil ? signedOutError : .locked }

    func set(_ held: HeldSession, on keeper: isolated SessionKeeper) {
        state = .signedIn(held)
        publish(held)
        timer.schedule(held, on: keeper)
    }

    func clear(_ reason: SignedOutReason) {
        timer.cancel()
        state = .signedOut(reason)
        published.publish(.signedOut(reason), nil, lead: lead)
    }

    /// Publishes the state again after the session was locked or unlocked.
    func republish() {
        if let held { publish(held) }
    }

    private func publish(_ held: HeldSession) {
        guard appLock?.mayUse ?? true else { return published.publish(.locked, nil, lead: lead) }
        published.publish(.signedIn(SessionSnapshot(held.session), verified: held.isVerified), held, lead: lead)
    }
}

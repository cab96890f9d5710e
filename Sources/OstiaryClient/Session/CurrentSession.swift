import OstiaryCore

/// The session in use, as this process knows it; every change of it is published at once.
///
/// Belongs to one ``SessionKeeper`` and is used in its isolation only.
final class CurrentSession {
    private enum LocalState {
        /// The store has not answered, or cannot.
        case unknown
        case signedOut(SignedOutReason)
        case signedIn(HeldSession)
    }

    private let published: PublishedSession
    private let gate: GateKeeper?
    private let lead: Duration
    private let timer: RefreshTimer
    private var state = LocalState.unknown

    init(published: PublishedSession, gate: GateKeeper?, lead: Duration, timer: RefreshTimer) {
        self.published = published
        self.gate = gate
        self.lead = lead
        self.timer = timer
    }

    var held: HeldSession? { if case .signedIn(let held) = state { held } else { nil } }

    /// The session in use, if it is still that one.
    func held(_ id: ClientSession.ID) -> HeldSession? {
        held.flatMap { $0.session.id == id ? $0 : nil }
    }

    var isUnknown: Bool { if case .unknown = state { true } else { false } }

    /// The error for a call that needs a session.
    var signedOutError: ClientError {
        if case .signedOut(.ended(let refusal)) = state { .sessionEnded(refusal) } else { .notSignedIn }
    }

    /// The error for a call that the gate stopped.
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

    /// Publishes again after the gate has opened or closed.
    func republish() {
        if let held { publish(held) }
    }

    private func publish(_ held: HeldSession) {
        guard gate?.mayUse ?? true else { return published.publish(.locked, nil, lead: lead) }
        published.publish(.signedIn(SessionSnapshot(held.session), verified: held.isVerified), held, lead: lead)
    }
}

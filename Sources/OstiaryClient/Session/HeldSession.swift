import Foundation
import OstiaryCore

/// The session in use, as the memory of this process has it.
struct HeldSession: Sendable {
    private(set) var session: ClientSession
    /// When the access token ends, by ``ClientSurroundings/uptime``: no change of the clock on the wall moves it. Nil where
    /// nobody knows.
    private(set) var endsAt: Duration?
    /// From the token's receipt to its end.
    private(set) var lifetime: Duration
    /// Whether the server has accepted a token of this session in this run.
    var isVerified: Bool

    init(_ session: ClientSession, isVerified: Bool, at surroundings: ClientSurroundings) {
        self.session = session
        self.isVerified = isVerified
        lifetime = .zero
        replace(with: session, at: surroundings)
    }

    /// The same session with other tokens.
    mutating func replace(with session: ClientSession, at surroundings: ClientSurroundings) {
        self.session = session
        guard let expiry = session.expiresAt else {
            endsAt = nil
            lifetime = .zero
            return
        }
        let whole = max(0, expiry.timeIntervalSince(session.issuedAt))
        // A clock that was set back since makes no token live longer than it was given.
        let remaining = min(whole, expiry.timeIntervalSince(surroundings.now()))
        lifetime = .seconds(whole)
        endsAt = surroundings.uptime() + .seconds(remaining)
    }

    mutating func update(user: User?) { session.user = user }
    mutating func update(enrolment: GateEnrolment) { session.enrolment = enrolment }
    mutating func update(signingKey: RequestSigningKey) { session.signingKey = signingKey }

    var token: IssuedToken { IssuedToken(session) }

    func remaining(at uptime: Duration) -> Duration? { endsAt.map { $0 - uptime } }

    func freshness(at uptime: Duration, lead: Duration) -> Freshness {
        Freshness(remaining: remaining(at: uptime), lifetime: lifetime, lead: lead)
    }

    /// Until when the token is used without another thought; nil for ever.
    func freshUntil(lead: Duration) -> Duration? {
        endsAt.map { $0 - Freshness.lead(lead, of: lifetime) }
    }

    /// Whether the access token may still be accepted.
    func isUsable(at uptime: Duration) -> Bool { remaining(at: uptime).map { $0 > .zero } ?? true }
}

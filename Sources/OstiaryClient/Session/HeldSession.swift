import Foundation
import OstiaryCore

/// The session in use, as held in the memory of this process.
struct HeldSession: Sendable {
    private(set) var session: ClientSession
    /// The expiry of the access token by ``ClientDependencies/uptime``, so that setting the wall clock does not move
    /// it. `nil` if the expiry is not known.
    private(set) var endsAt: Duration?
    /// `true` if ``endsAt`` was measured from the token's receipt; `false` if it was computed from the wall clock, which
    /// may have been set since the token was stored.
    private(set) var isExpiryMeasured = false
    /// The time from the token's receipt to its expiry.
    private(set) var lifetime: Duration
    /// `true` if the server has accepted a token of this session during this run.
    var isVerified: Bool

    /// - Parameter isReceived: `true` if this process has just received the tokens; `false` if they were stored.
    init(_ session: ClientSession, isVerified: Bool, isReceived: Bool, at system: ClientDependencies) {
        self.session = session
        self.isVerified = isVerified
        lifetime = .zero
        replace(with: session, at: system)
        isExpiryMeasured = isReceived
    }

    /// Replaces the tokens, which were just received, and details of the session; the identity stays.
    mutating func replace(with session: ClientSession, at system: ClientDependencies) {
        self.session = session
        isExpiryMeasured = true
        guard let expiry = session.expiresAt else {
            endsAt = nil
            lifetime = .zero
            return
        }
        let whole = max(0, expiry.timeIntervalSince(session.issuedAt))
        // Capped at the whole lifetime: setting the clock back after the receipt must not extend the token's life.
        let remaining = min(whole, expiry.timeIntervalSince(system.now()))
        lifetime = .seconds(whole)
        endsAt = system.uptime() + .seconds(remaining)
    }

    mutating func update(user: User?) { session.user = user }
    mutating func update(enrolment: BiometricEnrolment) { session.enrolment = enrolment }
    mutating func update(signingKey: RequestSigningKey) { session.signingKey = signingKey }

    var token: IssuedToken { IssuedToken(session) }

    func remaining(at uptime: Duration) -> Duration? { endsAt.map { $0 - uptime } }

    func freshness(at uptime: Duration, lead: Duration) -> Freshness {
        Freshness(remaining: remaining(at: uptime), lifetime: lifetime, lead: lead)
    }

    /// Returns the ``ClientDependencies/uptime`` until which the token is used without a refresh; `nil` for no limit.
    func freshUntil(lead: Duration) -> Duration? {
        endsAt.map { $0 - Freshness.lead(lead, of: lifetime) }
    }

    /// Returns `true` if the server may still accept the access token.
    func isUsable(at uptime: Duration) -> Bool { remaining(at: uptime).map { $0 > .zero } ?? true }
}

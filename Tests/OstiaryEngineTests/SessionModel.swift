import OstiaryCore

/// The rules of one session in their shortest form, with which the engine is compared.
struct SessionModel {
    enum End { case signOut, reuse, passwordChanged, disabled }

    let window: Double
    let isStrict: Bool
    /// The time of the first use of each generation; the last generation is the current one.
    private(set) var firstUses: [Double?] = [nil]
    private(set) var end: End?
    /// The first generation that a change of password has left valid.
    private(set) var oldest = 0
    /// `true` if the attacker had a token of the session.
    var isStolen = false

    var current: Int { firstUses.count - 1 }

    init(window: Double, isStrict: Bool) {
        self.window = window
        self.isStrict = isStrict
    }

    /// - Returns: The generation that the answer holds.
    mutating func present(_ generation: Int, at now: Double) throws(AuthError) -> Int {
        if let end { throw end == .reuse ? .refreshTokenReused : .refreshTokenRevoked }
        guard generation >= oldest else { throw .refreshTokenRevoked }
        if generation == current {
            firstUses[generation] = firstUses[generation] ?? now
            firstUses.append(nil)
            return current
        }
        let successorUsedAt = firstUses[generation + 1]
        guard !isStrict, successorUsedAt.map({ now - $0 < window }) ?? true else {
            end = .reuse
            throw .refreshTokenReused
        }
        return current
    }

    mutating func use(_ generation: Int, at now: Double) throws(AuthError) {
        guard end == nil else { throw .sessionRevoked }
        firstUses[generation] = firstUses[generation] ?? now
    }

    /// Applies a change of password in this session, which continues with the next generation.
    mutating func renew() {
        firstUses.append(nil)
        oldest = current
    }

    mutating func finish(_ end: End) { self.end = self.end ?? end }
}

import OstiaryCore

/// The nonces that proofs of an app carry: derived from the time, so nothing is stored and every node has the same ones.
/// Source: RFC 9449 §8.
struct DPoPNonces {
    /// The time for which a nonce is the current one, in seconds. It is accepted for as long again.
    static let periodSeconds = 120
    private static let bytes = 16

    let keys: KeyRing
    let app: AppName

    /// Returns the nonce that is current at a time, in seconds since 1970.
    func current(at now: Int) -> String { nonce(of: now / Self.periodSeconds) }

    /// Returns `true` for the current nonce and the previous one, and for the next one, which a node whose clock is ahead
    /// has issued.
    func accepts(_ nonce: String, at now: Int) -> Bool {
        let period = now / Self.periodSeconds
        let bytes = Array(nonce.utf8)
        return [period, period - 1, period + 1].contains { constantTimeEqual(bytes, Array(self.nonce(of: $0).utf8)) }
    }

    private func nonce(of period: Int) -> String {
        Array(keys.digest(["nonce", "\(period)"], for: .dpop, app: app).prefix(Self.bytes)).base64URL
    }
}

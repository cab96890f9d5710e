import OstiaryCore

/// The checks of a proof that need neither its key nor a store. Pure. Source: RFC 9449 §4.3.
struct DPoPProofPolicy {
    /// The tolerated age of a proof in both directions, by the server's clock, in seconds.
    static let toleratedSeconds = 300
    /// The time for which the identifier of a proof is remembered after its creation, in seconds: as long as any node
    /// accepts the proof, and as much again for nodes with a different clock.
    static let memorySeconds = 2 * toleratedSeconds + 1

    /// The origins that a proof may name besides that of the request.
    var origins: Set<String>

    /// Returns `true` if a proof was made at about `now` for a request.
    ///
    /// - Parameters:
    ///   - url: The URL of the request as its client knows it.
    ///   - accessTokenHash: The hash of the access token that the request presents; nil for none.
    func accepts(_ proof: DPoPProof, method: String, url: String, accessTokenHash: String?, at now: Int) -> Bool {
        let (age, hasOverflown) = now.subtractingReportingOverflow(proof.issuedAt)
        guard !hasOverflown, age.magnitude <= Self.toleratedSeconds, proof.method.utf8.elementsEqual(method.utf8),
            isSame(proof.url, as: url)
        else { return false }
        guard let accessTokenHash else { return true }
        return proof.accessTokenHash.map { $0.utf8.elementsEqual(accessTokenHash.utf8) } ?? false
    }

    private func isSame(_ claimed: String, as url: String) -> Bool {
        guard let claimed = NormalizedURL(claimed), let url = NormalizedURL(url),
            claimed.path.utf8.elementsEqual(url.path.utf8)
        else { return false }
        return claimed == url || origins.contains(claimed.origin)
    }
}

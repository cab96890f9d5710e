extension X509Certificate {
    /// Returns `true` for a trust anchor: the certificate of an authority that it signed itself.
    package var isTrustAnchor: Bool {
        isAuthority && mayCertify && issuer == subject
            && publicKey.isValidSignature(signature, for: signedPart, by: signatureAlgorithm)
    }

    /// Verifies the path from a trust anchor over one intermediate authority to a certificate. Source: RFC 5280 §6.1.
    ///
    /// - Parameter now: The seconds since 1970.
    static func verifyPath(
        to leaf: X509Certificate, by intermediate: X509Certificate, from anchor: X509Certificate, at now: Int64
    ) throws(AppAttestProblem) {
        guard [leaf, intermediate, anchor].allSatisfy({ $0.validity.contains(now) }) else { throw .certificateValidity }
        guard anchor.isAuthority, anchor.mayCertify, anchor.pathLength ?? 1 >= 1, intermediate.isAuthority,
            intermediate.mayCertify, !leaf.isAuthority, leaf.mayVerifySignatures
        else { throw .certificateUsage }
        guard intermediate.isIssued(by: anchor), leaf.isIssued(by: intermediate) else { throw .certificateSignature }
    }

    private func isIssued(by authority: X509Certificate) -> Bool {
        issuer == authority.subject
            && authority.publicKey.isValidSignature(signature, for: signedPart, by: signatureAlgorithm)
    }

    /// The bit `keyCertSign`, which an authority must have. Source: RFC 5280 §4.2.1.3.
    private var mayCertify: Bool { keyUsage.map { $0 & 0x04 != 0 } ?? false }

    /// The bit `digitalSignature`.
    private var mayVerifySignatures: Bool { keyUsage.map { $0 & 0x80 != 0 } ?? true }
}

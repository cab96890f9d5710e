/// Authenticator data. Source: WebAuthn Level 3 §6.1.
package struct AuthenticatorData: Sendable {
    /// The flags; reserved bits are ignored. Source: WebAuthn Level 3 §6.1.
    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// UP: the user was present.
        package static let userPresent = Flags(rawValue: 1 << 0)
        /// UV: the user was verified.
        package static let userVerified = Flags(rawValue: 1 << 2)
        /// BE: the credential can be backed up.
        package static let backupEligible = Flags(rawValue: 1 << 3)
        /// BS: the credential is backed up.
        package static let backedUp = Flags(rawValue: 1 << 4)
        /// AT: attested credential data follows.
        package static let attestedCredentialData = Flags(rawValue: 1 << 6)
        /// ED: extensions follow.
        package static let extensionData = Flags(rawValue: 1 << 7)
    }

    /// The SHA-256 hash of the RP ID.
    package let relyingPartyIDHash: [UInt8]
    package let flags: Flags
    /// The signature counter; 0 from authenticators that have none.
    package let signCount: UInt32
    /// The created credential, if the flag AT is set.
    package let attestedCredential: AttestedCredentialData?

    private static let hashBytes = 32
    private static let counterBytes = 4
    private static let headerBytes = 37

    /// Reads authenticator data of exactly the length that it describes. Extensions are decoded and ignored.
    ///
    /// - Throws: ``WebAuthnProblem/backupState`` if BS is set without BE; the problem of the part that cannot be read.
    package init(_ bytes: [UInt8]) throws(WebAuthnProblem) {
        guard bytes.count >= Self.headerBytes else { throw .authenticatorData }
        relyingPartyIDHash = Array(bytes.prefix(Self.hashBytes))
        flags = Flags(rawValue: bytes[Self.hashBytes])
        signCount = bytes[..<Self.headerBytes].suffix(Self.counterBytes).reduce(0) { $0 << 8 | UInt32($1) }
        // §7.1 step 17, §7.2 step 18.
        guard flags.contains(.backupEligible) || !flags.contains(.backedUp) else { throw .backupState }
        var rest = bytes[Self.headerBytes...]
        attestedCredential =
            flags.contains(.attestedCredentialData) ? try AttestedCredentialData(readingFrom: &rest) : nil
        if flags.contains(.extensionData) {
            guard case (.map, let length)? = try? CBOR.decodePrefix(of: rest) else { throw .extensions }
            rest = rest.dropFirst(length)
        }
        guard rest.isEmpty else { throw .authenticatorData }
    }
}

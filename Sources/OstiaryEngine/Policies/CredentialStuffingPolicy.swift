/// The limit of failed sign-ins with many identifiers from one network, above which a sign-in must come with a computation:
/// see decision 77.
public struct CredentialStuffingPolicy: Hashable, Sendable {
    /// The number of identifiers in an hour, for which unrecognized sign-ins may fail from one network: the /24 of an IPv4
    /// address, the /48 of an IPv6 address.
    public var identifiers: Int
    /// The number of zero bits with which the hash of the computation begins: 2^18 hashes are about a second of script in a
    /// browser, and less in an app.
    public var bits: Int
    /// The lifetime of a computation's challenge, in seconds.
    public var challengeSeconds: Int

    /// Creates a policy from its parts.
    public init(identifiers: Int = 30, bits: Int = 18, challengeSeconds: Int = 300) {
        self.identifiers = identifiers
        self.bits = bits
        self.challengeSeconds = challengeSeconds
    }

    /// The number of addresses of a network with failed sign-ins in an hour, from which on the whole network is asked: below it,
    /// only these addresses are. An attacker has one guess at each of them beyond ``identifiers``.
    static let addresses = 8

    /// The number of identifiers of a network that one node keeps: more than the bucket has room for in an hour and a half.
    var keptIdentifiers: Int { min(identifiers, 1_000_000) * 4 }

    /// The limit of a network. The bucket refills evenly: after the first identifiers of an attack as many an hour remain.
    var perNetwork: RateLimit { limit(reserved: Self.addresses) }

    /// The limit by which failures are counted, on the same bucket: one more at each of the ``addresses`` that is not asked. What
    /// they use is taken from the identifiers of the next time.
    var perNetworkBeyond: RateLimit { limit(reserved: 0) }

    private func limit(reserved: Int) -> RateLimit {
        let attempts = identifiers + Self.addresses
        return RateLimit(attempts: attempts, perSeconds: 3600 * attempts / identifiers, reserved: reserved)
    }
}

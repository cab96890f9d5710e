import OstiaryEngine

@testable import OstiaryIdentities

/// Every way to compute hashes, whatever is the fastest here.
let bcryptPlans: [BcryptPlan] = [
    .libcrypt, BcryptPlan(lanes: 1, isAloneWithLibcrypt: false), BcryptPlan(lanes: 4, isAloneWithLibcrypt: false),
    BcryptPlan(lanes: 4, isAloneWithLibcrypt: true),
]

func makeHasher(
    pool: BcryptPool? = nil, cost: Int = 10, onDamagedHash: @escaping @Sendable () -> Void = {}
) throws -> BcryptHasher {
    try BcryptHasher(
        pool: try pool ?? BcryptPool(), cost: cost, randomBytes: SystemDependencies.system.randomBytes,
        onDamagedHash: onDamagedHash)
}

import OstiaryEngine

@testable import OstiaryIdentities

func makeHasher(
    pool: BcryptPool? = nil, cost: Int = 10, onDamagedHash: @escaping @Sendable () -> Void = {}
) throws -> BcryptHasher {
    try BcryptHasher(
        pool: try pool ?? BcryptPool(), cost: cost, randomBytes: SystemDependencies.system.randomBytes,
        onDamagedHash: onDamagedHash)
}

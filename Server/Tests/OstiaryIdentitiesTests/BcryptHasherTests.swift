import OstiaryCore
import OstiaryEngine
import Synchronization
import Testing

@testable import OstiaryIdentities

@Suite struct BcryptHasherTests {
    @Test func `a hash verifies its password and no other`() async throws {
        let hasher = try makeHasher()
        let hash = try await hasher.hash(Secret("correct horse"))
        #expect(hash.hasPrefix("$2b$10$"))
        #expect(try await hasher.check(Secret("correct horse"), against: hash) == .matches)
        for other in ["Correct horse", "correct horse ", "correct horse\u{200B}", "correct hors", ""] {
            #expect(try await hasher.check(Secret(other), against: hash) == .differs)
        }
    }

    @Test func `two hashes of one password have different salts`() async throws {
        let hasher = try makeHasher()
        let hashes = try await [hasher.hash(Secret("password")), hasher.hash(Secret("password"))]
        #expect(hashes[0].prefix(29) != hashes[1].prefix(29))
    }

    @Test func `composed and decomposed letters are different passwords`() async throws {
        let hasher = try makeHasher()
        let hash = try await hasher.hash(Secret("caf\u{E9} au lait"))
        #expect(try await hasher.check(Secret("cafe\u{301} au lait"), against: hash) == .differs)
    }

    @Test(arguments: [String(repeating: "a", count: 72), String(repeating: "€", count: 24)])
    func `takes 72 bytes and refuses 73`(longest: String) async throws {
        let hasher = try makeHasher()
        let hash = try await hasher.hash(Secret(longest))
        #expect(try await hasher.check(Secret(longest), against: hash) == .matches)
        #expect(try await hasher.check(Secret(longest + "X"), against: hash) == .differs)
        await #expect(throws: AuthError.invalid(.password, .tooLong(maximum: 72))) {
            try await hasher.hash(Secret(longest + "X"))
        }
    }

    @Test func `the first 72 bytes of a longer password do not open its account`() async throws {
        let hasher = try makeHasher()
        // As a server that truncates passwords would have stored it.
        let stored = try await hasher.hash(Secret(String(repeating: "b", count: 72)))
        #expect(try await hasher.check(Secret(String(repeating: "b", count: 80)), against: stored) == .differs)
    }

    @Test func `refuses a NUL instead of ending the password there`() async throws {
        let hasher = try makeHasher()
        await #expect(throws: AuthError.invalid(.password, .malformed)) { try await hasher.hash(Secret("pass\0word")) }
        let hash = try await hasher.hash(Secret("pass"))
        #expect(try await hasher.check(Secret("pass\0word"), against: hash) == .differs)
    }

    @Test func `a password for nobody differs`() async throws {
        #expect(try await makeHasher().check(Secret("password"), against: nil) == .differs)
    }

    @Test(arguments: [
        "", "x", "*0", "!", "password", "$2b$10$", "$1$salt$qJH7.N4xYta3aEG/dfqo/0",
        "$2b$31$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
        "$2b$17$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
        "$2b$03$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
        "$2b$ 5$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
        "$2b$+5$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
        "$2x$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
        "$2c$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
        "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOe",
        "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeWW",
        "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOe=",
        "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOe\0",
        "$2a$05$CCCCCCCCCCCCCCCCCCCCC\0E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
        "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOé",
        " $2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW",
    ])
    func `a damaged hash is a mismatch, reported, and no hash to import`(damaged: String) async throws {
        let reports = Mutex(0)
        let hasher = try makeHasher(onDamagedHash: { reports.withLock { $0 += 1 } })
        #expect(try await hasher.check(Secret("U*U"), against: damaged) == .differs)
        #expect(reports.withLock { $0 } == 1)
        #expect(!BcryptHash.isImportable(damaged))
    }

    @Test func `a sound hash is not reported`() async throws {
        let reports = Mutex(0)
        let hasher = try makeHasher(onDamagedHash: { reports.withLock { $0 += 1 } })
        let hash = try await hasher.hash(Secret("password"))
        _ = try await hasher.check(Secret("wrong"), against: hash)
        _ = try await hasher.check(Secret("wrong"), against: nil)
        #expect(reports.withLock { $0 } == 0)
    }

    @Test func `a hash as costly as the setting or costlier is not outdated`() async throws {
        let costlier = try await makeHasher(cost: 11).hash(Secret("password"))
        #expect(costlier.hasPrefix("$2b$11$"))
        #expect(try await makeHasher(cost: 11).check(Secret("password"), against: costlier) == .matches)
        #expect(try await makeHasher(cost: 10).check(Secret("password"), against: costlier) == .matches)
    }

    @Test(arguments: [(10, 12), (13, 13), (16, 16)])
    func `imports hashes up to a cost of 12, or up to the app's cost if that is higher`(
        cost: Int, highest: Int
    ) throws {
        let hasher = try makeHasher(cost: cost)
        for importable in 4...16 {
            let prefix = "$2b$\(importable < 10 ? "0" : "")\(importable)$"
            let hash = prefix + "CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
            #expect(hasher.canImport(hash) == (importable <= highest), "\(importable)")
        }
        #expect(!hasher.canImport("$2b$10$"))
    }

    @Test(arguments: [-1, 0, 4, 9, 17, 31, .max]) func `refuses a cost that is too low or too high`(cost: Int) throws {
        let pool = try BcryptPool(threads: 1)
        #expect(throws: BcryptCostOutOfRange.self) {
            try BcryptHasher(pool: pool, cost: cost, randomBytes: SystemDependencies.system.randomBytes)
        }
    }
}

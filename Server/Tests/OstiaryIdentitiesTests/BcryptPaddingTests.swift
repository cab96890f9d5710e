import OstiaryCore
import Testing

@testable import OstiaryIdentities

/// The cost of a check, in hashing rounds: 2 to the power of each computed cost.
@Suite struct BcryptPaddingTests {
    @Test(arguments: 4...14) func `a cheaper hash is padded to what everybody pays`(stored: Int) {
        let rounds = BcryptHasher.padding(from: stored, to: 14).reduce(1 << stored) { $0 + 1 << $1 }
        #expect(rounds == 1 << 14)
    }

    @Test func `a hash that costs more than everybody pays is not padded`() {
        #expect(BcryptHasher.padding(from: 12, to: 10).isEmpty)
    }

    @Test func `everybody pays for the costliest hash there is`() async throws {
        let hasher = try makeHasher(cost: 10)
        #expect(hasher.commonCost.value == 10)
        hasher.expect("$2a$12$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW")
        #expect(hasher.commonCost.value == 12)
        hasher.expect("$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW")
        hasher.expect("damaged")
        #expect(hasher.commonCost.value == 12)
    }
}

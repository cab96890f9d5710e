import Testing

@testable import OstiaryIdentities

@Suite struct BcryptPlanTests {
    @Test(arguments: [
        // The times of one hash with libcrypt, and of groups of one to four.
        (1.0, [1.0, 1.1, 1.2, 1.4], BcryptPlan(lanes: 4, isAloneWithLibcrypt: false)),
        // A larger group that is not faster.
        (1.0, [1.0, 1.1, 1.64, 2.2], BcryptPlan(lanes: 2, isAloneWithLibcrypt: false)),
        // One hash takes longer than with libcrypt.
        (1.0, [1.2, 1.2, 1.3, 1.4], BcryptPlan(lanes: 4, isAloneWithLibcrypt: true)),
        // Nothing is gained.
        (1.0, [1.1, 2.2, 3.3, 4.4], .libcrypt),
        (1.0, [], .libcrypt),
    ]) func `chooses the smallest of the fastest groups`(libcrypt: Double, groups: [Double], plan: BcryptPlan) {
        #expect(BcryptPlan.choose(libcrypt: libcrypt, groups: groups) == plan)
    }

    #if arch(x86_64)
    @Test func `interleaves hashes on this processor`() throws {
        let plan = try #require(BcryptPlan.measured)
        #expect(plan.lanes > 1)
    }
    #endif
}

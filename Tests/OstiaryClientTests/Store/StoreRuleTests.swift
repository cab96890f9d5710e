import OstiaryClientTestSupport
import OstiaryTestSupport
import Testing

@testable import OstiaryClient

struct StoreRuleTests {
    @Test(arguments: StoreRule.allCases)
    func `holds for the file`(_ rule: StoreRule) async throws {
        let place = try StoreHome(lockWait: .seconds(20))
        try await rule.check { try StoreHome.store(in: place.directory, keys: place.keys) }
    }

    @Test(arguments: StoreRule.allCases)
    func `holds for the memory`(_ rule: StoreRule) async throws {
        let store = MemorySessionStore()
        try await rule.check { store }
    }
}

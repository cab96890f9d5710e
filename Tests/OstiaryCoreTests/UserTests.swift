import OstiaryCore
import Testing

@Suite struct UserTests {
    @Test func `PT-14: has no role that is only canonically equivalent to one`() throws {
        // U+212A KELVIN SIGN is equivalent to the letter.
        let user = User(id: try AccountID("1"), roles: ["K", "caf\u{E9}"])
        #expect(user.hasRole("K") && user.hasRole("caf\u{E9}"))
        #expect(!user.hasRole("\u{212A}") && !user.hasRole("cafe\u{301}"))
        let admin = User(id: try AccountID("1"), roles: ["admin"])
        #expect(!user.isAdmin && admin.isAdmin)
    }
}

@testable import OstiaryEngine
import Testing

@Suite struct AuditDetailTests {
    @Test func `a detail that is too long ends with the number of the names that are left out`() {
        let names = (10..<99).map { "attributes.name_\($0)" }
        let text = AuditEvent.detail(listing: names)
        #expect(text.hasPrefix("attributes.name_10, attributes.name_11, ") && text.hasSuffix(", +77"))
        #expect(text.utf8.count <= 256)
        #expect(AuditEvent.detail(listing: ["email", "full_name"]) == "email, full_name")
        #expect(AuditEvent.detail(listing: [String(repeating: "a", count: 300)]) == "+1")
    }
}

import Foundation
import Testing

/// The guide of `ostiary doctor` and the source agree.
@Suite struct DoctorDocumentationTests {
    private static let server = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `the guide lists every code, and no other`() throws {
        let checks = Self.server.appending(path: "Sources/OstiaryDoctor/Checks")
        let sources = try FileManager.default.contentsOfDirectory(at: checks, includingPropertiesForKeys: nil)
            .map { try String(contentsOf: $0, encoding: .utf8) }
        let codes = Set(sources.flatMap { $0.matches(of: /\b(?:error|warning)\(\s*"([a-z_]+)"/).map { String($0.1) } })
        let guide = try String(
            contentsOf: Self.server.deletingLastPathComponent().appending(path: "Documentation/operations/doctor.md"),
            encoding: .utf8)
        let rows = guide.split(separator: "\n").filter { $0.hasPrefix("| `") && !$0.hasPrefix("| `--") }
        let listed = Set(
            rows.flatMap { row in
                (row.split(separator: "|").first ?? "").matches(of: /`([a-z_]+)`/).map { String($0.1) }
            })
        #expect(codes.count > 20)
        #expect(codes == listed)
    }
}

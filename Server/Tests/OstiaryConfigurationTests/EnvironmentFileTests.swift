import Testing

@testable import OstiaryConfiguration

/// The file of variables that `--environment` names.
@Suite struct EnvironmentFileTests {
    private func variables(_ text: String) throws -> [String: String] {
        try EnvironmentFile.variables(of: ConfigurationFile(name: "environment", text: text))
    }

    @Test func `reads plain and quoted values, and skips comments`() throws {
        let text = """
            # a comment
            ; another
            ONE=plain/value+with==
              TWO='single $quoted "value" with spaces'  \r
            THREE="double 'quoted' value"

            FOUR=
            """
        #expect(
            try variables(text) == [
                "ONE": "plain/value+with==", "TWO": "single $quoted \"value\" with spaces",
                "THREE": "double 'quoted' value", "FOUR": "",
            ])
    }

    @Test(arguments: [
        "NAME", "=value", "1ONE=a", "A-B=c", "export A=b", "A=b c", "A='b", "A='b'c", "A=\"b\\\"c\"", "A=\"$b\"", "A='",
        "A=b\\", "A='b'c'",
    ]) func `refuses a line that shells and service managers could read differently`(line: String) {
        #expect(throws: ConfigurationProblem.self) { try variables("ONE=a\n\(line)\n") }
        do { _ = try variables("ONE=a\n\(line)\n") } catch {
            #expect("\(error)".hasPrefix("environment:2: needs NAME=VALUE"))
        }
    }

    @Test func `refuses what is no text, and a file that does not exist`() {
        #expect(throws: ConfigurationProblem.self) {
            try EnvironmentFile.variables(of: ConfigurationFile(name: "environment", bytes: [0x41, 0x3D, 0xFF]))
        }
        #expect(throws: ConfigurationProblem.self) { try EnvironmentFile.read("/nowhere") }
    }
}

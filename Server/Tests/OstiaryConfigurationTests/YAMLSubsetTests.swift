import OstiaryConfiguration
import OstiaryCore
import Testing

@Suite struct YAMLSubsetTests {
    @Test(arguments: [
        ("mode: development\nlog:\n\tlevel: info\n", 3, "needs spaces: tabs are not allowed"),
        ("mode: &m development\n", 1, "needs no anchors and aliases; put a text that begins with & or * in quotes"),
        (
            "mode: development\nlog: *l\n", 2,
            "needs no anchors and aliases; put a text that begins with & or * in quotes"
        ),
        ("a: [1, 2,\n  *b]\n", 2, "needs no anchors and aliases; put a text that begins with & or * in quotes"),
        (
            "a: {b: \"x\",\n \"c\":&d e}\n", 2,
            "needs no anchors and aliases; put a text that begins with & or * in quotes"
        ),
        ("--- &a\n", 1, "needs no anchors and aliases; put a text that begins with & or * in quotes"),
        ("? &a b\n: c\n", 1, "needs no anchors and aliases; put a text that begins with & or * in quotes"),
        ("a: 'it''s'\nb:\n  - - *c\n", 3, "needs no anchors and aliases; put a text that begins with & or * in quotes"),
        ("a: \"\\\"\"\nb: *c\n", 2, "needs no anchors and aliases; put a text that begins with & or * in quotes"),
        ("# \"\n*a : b\n", 2, "needs no anchors and aliases; put a text that begins with & or * in quotes"),
        ("# c\r*a : b\n", 2, "needs no anchors and aliases; put a text that begins with & or * in quotes"),
        ("mode: !!str development\n", 1, "needs no tags; put a text that begins with ! in quotes"),
        ("%YAML 1.1\n---\nmode: development\n", 1, "needs no directives; put a text that begins with % in quotes"),
        ("mode: |\n  development\n", 1, "needs no text blocks; put the text in quotes"),
        ("# a\u{2028}mode: &a b\n", 1, "needs plain line ends"),
        ("mode: development\n---\nmode: development\n", 2, "needs to be one document"),
        ("mode: development\nmode: production\n", 1, "mode: occurs twice"),
        ("mode: [development\n", 2, "needs to be YAML: did not find expected ',' or ']'"),
        (String(repeating: "[", count: 5000), 1, "needs less nesting"),
        (String(repeating: "- ", count: 5000), 1, "needs less nesting"),
        ("a:\n" + String(repeating: " ", count: 300) + "b: c\n", 2, "needs less indentation"),
    ])
    func `refuses with the line`(text: String, line: Int, need: String) {
        #expect(refusal(text) == "ostiary.yaml:\(line): \(need)")
    }

    @Test func `refuses a bomb of aliases in keys at once`() {
        var text = "a0: &a0 {x: y}\n"
        for level in 1...200 { text += "a\(level): &a\(level) {? *a\(level - 1) : *a\(level - 1)}\n" }
        #expect(refusal(text)?.hasPrefix("ostiary.yaml:1: needs no anchors") == true)
    }

    @Test func `refuses ten megabytes`() {
        let text = "mode: development\n" + String(repeating: "# comment\n", count: 1_048_576)
        #expect(refusal(text) == "ostiary.yaml: needs at most 1048576 bytes")
    }

    @Test func `refuses what is not UTF-8`() {
        let file = ConfigurationFile(name: "ostiary.yaml", bytes: Array("mode: ".utf8) + [0xFF])
        #expect(throws: ConfigurationProblem(place: .file("ostiary.yaml", line: nil), key: "", need: "needs UTF-8")) {
            try Configuration(file: file, environment: [:])
        }
    }

    @Test func `takes the indicators in text and in quotes`() throws {
        let text = """
            ---
            mode: development  # 'it
            email:
              kind: smtp
              url: 'smtps://u:!a&b*c@mail.example.com'
              from: "R & *D <a@example.com>"
            """
        guard case .smtp(let url, let from) = try read(text).email else { throw Missing() }
        #expect(url.reveal() == "smtps://u:!a&b*c@mail.example.com")
        #expect(from == "R & *D <a@example.com>")
    }

    @Test func `refuses a key that is written in two ways`() {
        #expect(refusal("mode: development\napps: {}\n\"apps\": {}\n") == "ostiary.yaml:2: apps: occurs twice")
        #expect(refusal("mode: development\nlog: {1: a, \"1\": b}\n") == "ostiary.yaml:2: 1: occurs twice")
    }
}

struct Missing: Error {}

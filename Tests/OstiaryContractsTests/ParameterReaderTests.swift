import OstiaryContracts
import Testing

@Suite struct ParameterReaderTests {
    private func read(_ text: String) -> [String] {
        ParameterReader(text).map { parameter in
            switch parameter {
            case .named(let name, let value): "\(name)>\(value)"
            case .unreadable: "?"
            }
        }
    }

    @Test(arguments: [
        ("", []), ("&&", []), ("a=1", ["a>1"]), ("a", ["a>"]), ("a=", ["a>"]), ("=1", [">1"]), ("a=b=c", ["a>b=c"]),
        ("a=1&b=2&a=3", ["a>1", "b>2", "a>3"]), ("&a=1&&b=2&", ["a>1", "b>2"]), ("a=1+2%2B", ["a>1 2+"]),
        ("%61=%C3%A9", ["a>é"]), ("a=é", ["a>é"]),
    ]) func `reads pairs in their order`(text: String, pairs: [String]) { #expect(read(text) == pairs) }

    @Test(arguments: ["a=%", "a=%zz", "%=1", "a=%FF", "é=1", "%C3%A9=1"])
    func `PT-01: tells what cannot be read from what can`(pair: String) {
        #expect(read("x=1&\(pair)&y=2") == ["x>1", "?", "y>2"])
    }

    @Test func `decodes a plus as itself where it is no space`() {
        #expect(ParameterReader("phone=+1%2B2", plusIsSpace: false).single(["phone"]) == .found("+1+2"))
    }

    @Test(arguments: [
        ("", ParameterReader.Single.absent), ("b=1&&c", .absent), ("a=1", .found("1")), ("b=2&%61=1&", .found("1")),
        ("other=1", .found("1")), ("a", .found("")), ("a=", .found("")), ("a=1&a=1", .unreadable),
        ("a=1&other=2", .unreadable), ("a=%", .unreadable), ("a=1&a=%FF", .unreadable), ("a=1&b=%", .found("1")),
        ("a=1&%=b", .unreadable), ("a=1&\(String(repeating: "n", count: 129))=", .unreadable),
    ])
    func `finds a parameter that occurs once, among others of any value`(
        text: String, expected: ParameterReader.Single
    ) {
        #expect(ParameterReader(text).single(["a", "other"]) == expected)
    }

    @Test func `PT-01: takes a name of 128 bytes and none of 129`() {
        let name = String(repeating: "n", count: 128)
        #expect(read("\(name)=1") == ["\(name)>1"])
        #expect(read("n\(name)=1") == ["?"])
    }

    @Test func `PT-01: takes no text for a value whose comparison is not linear`() {
        let marks = String(repeating: "%CC%95%CC%80", count: 1000)
        #expect(read("a=a\(marks)&b=2") == ["?", "b>2"])
        #expect(read("a\(marks)=1&b=2") == ["?", "b>2"])
    }
}

import Testing

@testable import OstiaryHTTP

/// The headers of a request as routes read them.
struct HeaderListTests {
    private let headers = HeaderList([
        ("Host-Name", "a"), ("X-Tag", "1"), ("Cookie", "b=c"), ("x-tag", "2"), ("Empty", ""),
        ("X-Forwarded-Proto", "https"),
    ])

    @Test func `finds names in any letter case, and keeps the order`() {
        #expect(headers.first("x-tag") == "1" && headers.first("cookie") == "b=c" && headers.first("empty") == "")
        #expect(headers.values(of: "x-tag") == ["1", "2"])
        #expect(headers.all.map(\.name) == ["host-name", "x-tag", "cookie", "x-tag", "empty", "x-forwarded-proto"])
    }

    @Test func `joins a header that repeats`() {
        #expect(headers.list("x-tag") == "1, 2" && headers.list("cookie") == "b=c")
    }

    @Test(arguments: ["", "x-ta", "x-tags", "X-Tag", "tag", "a", "x-tag1", "host-namea"])
    func `finds nothing under a part of a name`(name: String) {
        #expect(headers.first(name) == nil && headers.list(name) == nil && headers.values(of: name).isEmpty)
        #expect(!headers.contains(name))
    }

    @Test func `finds names that begin with a prefix`() {
        #expect(headers.contains(namePrefix: "x-forwarded-") && headers.cameThroughProxy)
        #expect(!headers.contains(namePrefix: "x-forwarded-protocol") && !headers.contains(namePrefix: "name"))
        #expect(!HeaderList([("x-forwarde", "d-for")]).cameThroughProxy)
    }

    @Test func `percent-encodes bytes beyond ASCII in a value`() {
        #expect(HeaderList([("cookie", "a=\u{E9}\u{300}b")]).first("cookie") == "a=%C3%A9%CC%80b")
    }
}

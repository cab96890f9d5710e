import OstiaryContracts
import OstiaryCore
import Testing

/// Names and values made of combining marks, at every place where a request can hold them.
@Suite struct HostileRequestTests {
    static let marks = "a" + String(repeating: "\u{315}\u{300}", count: 15_000)

    private func refusal(_ request: WireRequest, _ contract: Contract) throws -> WireRefusal? {
        do {
            _ = try Codec(contract).read(request)
            return nil
        } catch let error as WireRefusal {
            return error
        }
    }

    private func signIn(body: String, type: String = "application/json") throws -> WireRequest {
        let endpoint = try #require(Contract.vici.endpoint(for: .signIn))
        return WireRequest(
            method: "POST", path: Contract.vici.prefix + endpoint.path, headers: ["content-type": type],
            body: Array(body.utf8))
    }

    @Test(arguments: [
        "{\"\(marks)\":1}", "{\"email\":\"\(marks)\",\"password\":\"x\"}",
        "{\"password\":\"\(marks)\",\"email\":\"a@b.cc\"}",
        "{\"x\":{\"\(marks)\":\"\(marks)\"}}",
    ]) func `PT-01: refuses a body with marks in a name or a value`(body: String) throws {
        #expect(try refusal(signIn(body: body), .vici) == .refused(.malformedRequest))
    }

    @Test func `PT-01: refuses a media type with marks`() throws {
        for type in [Self.marks, "application/json;\(Self.marks)", "application/json; charset=\(Self.marks)"] {
            #expect(try refusal(signIn(body: "{}", type: type), .vici) == .unsupportedMediaType)
        }
    }

    @Test(arguments: ["application/json", "APPLICATION/JSON", " application/json ;x=y;\tCharset=\"UTF-8\""])
    func `takes every spelling of the media type`(type: String) throws {
        #expect(try refusal(signIn(body: "{}", type: type), .vici) == .refused(.invalid(.email, .missing)))
    }

    @Test(arguments: ["application/jso", "application/json2", "application/json,", "\u{E0}pplication/json", ""])
    func `refuses another media type`(type: String) throws {
        #expect(try refusal(signIn(body: "{}", type: type), .vici) == .unsupportedMediaType)
    }

    @Test func `PT-01: refuses a query and a path with marks`() throws {
        let endpoint = try #require(Contract.timetracker.endpoint(for: .beginBrowserSignIn))
        let path = Contract.timetracker.prefix + endpoint.path
        let encoded = PercentEncoding.encode(Self.marks)
        for query in ["\(encoded)=1", "redirect_uri=\(encoded)", "redirect_uri=\(Self.marks)"] {
            let request = WireRequest(method: "GET", path: path, query: query)
            #expect(try refusal(request, .timetracker) == .refused(.malformedRequest))
        }
        #expect(try refusal(WireRequest(method: "GET", path: "/\(Self.marks)"), .timetracker) == .unknownPath)
    }

    @Test func `PT-01: takes no bearer token out of a header of another form`() {
        #expect(BearerToken.read("bEaReR x") == "x")
        #expect(BearerToken.read("\(Self.marks) x") == nil)
        #expect(BearerToken.read("Bearer x \(Self.marks)") == nil)
        for header in ["", " ", "Bearer", "Bearer ", "Bearer  ", "Bearerx", "Bearer\tx", "Beare x", "Bearers x", "x"] {
            #expect(BearerToken.read(header) == nil)
        }
    }

    /// A space at each offset of a token, since eight bytes are searched at a time.
    @Test(arguments: 1..<20) func `takes one bearer token, and no two`(bytes: Int) {
        let (token, rest) = (String(repeating: "t", count: bytes), String(repeating: "u", count: 20 - bytes))
        #expect(BearerToken.read("  Bearer  \(token)  ") == token)
        #expect(BearerToken.read("Bearer \(token) \(rest)") == nil)
        #expect(BearerToken.read("Bearer \(token)\u{A0}!\(rest)") == "\(token)\u{A0}!\(rest)")
    }

    @Test func `PT-16: a name is another name if its bytes are others`() throws {
        let json = try JSON.read(Array("{\"K\":1,\"\u{212A}\":2,\"\u{E9}\":3,\"e\u{301}\":4}".utf8))
        #expect(json["K"] == 1)
        #expect(json["\u{212A}"] == 2)
        #expect(json["e\u{301}"] == 4)
        #expect(JSON.string("\u{E9}") != "e\u{301}")
        #expect(Set([JSON.string("\u{E9}"), "e\u{301}"]).count == 2)
    }
}

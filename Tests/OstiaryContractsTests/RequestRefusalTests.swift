import OstiaryContracts
import OstiaryCore
import Testing

/// What a server answers to requests that never become an operation: always the contract's own error body.
@Suite struct RequestRefusalTests {
    private func refusal(_ request: WireRequest, _ contract: Contract) throws -> WireResponse? {
        let codec = try #require(Tested.codecs[contract.name])
        do {
            _ = try codec.read(request)
            return nil
        } catch {
            return codec.write(error, to: request)
        }
    }

    private func expect(
        _ status: Int, _ code: String, for request: WireRequest, _ contract: Contract,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        guard let response = try refusal(request, contract) else {
            Issue.record("\(request) is no refusal", sourceLocation: location)
            return
        }
        #expect(response.status == status, "\(request)", sourceLocation: location)
        #expect(response.headers["content-type"] == "application/json; charset=utf-8", sourceLocation: location)
        let body = try JSON.read(response.body)
        #expect(body["code"] == .string(code), "\(request)", sourceLocation: location)
        guard case .string(let text) = body[contract.failureKey] else {
            Issue.record("no text under \(contract.failureKey)", sourceLocation: location)
            return
        }
        #expect(!text.isEmpty, sourceLocation: location)
        if let envelope = contract.envelope { #expect(body[envelope.successKey] == false, sourceLocation: location) }
        #expect((response.headers["www-authenticate"] != nil) == (status == 401), sourceLocation: location)
        if let challenge = response.headers["www-authenticate"] { #expect(challenge.hasPrefix("Bearer")) }
    }

    @Test(arguments: [
        ("/logout", "{\"token\":1}", "token is of the wrong type."), ("/refresh", "{}", "token is required."),
        ("/register", "{\"phone_number\":\"+15551234567\",\"password\":\"x\"}", "otp is required."),
    ])
    func `PT-30: a message names the field as the endpoint spells it`(path: String, body: String, text: String) throws {
        let contract = Contract.barqnet
        let request = WireRequest(
            method: "POST", path: contract.prefix + path,
            headers: ["authorization": "Bearer x", "content-type": "application/json"], body: body.bytes)
        let answer = try #require(try refusal(request, contract))
        #expect(try JSON.read(answer.body)["error"] == .string(text))
    }

    @Test(arguments: Tested.contracts) func `PT-30: no message names a field that the request does not have`(
        contract: Contract
    ) throws {
        let codec = try Codec(contract)
        for (kind, endpoint) in contract.operations {
            for use in endpoint.takes ?? [] {
                let answer = codec.write(AuthError.invalid(use.field, .missing), to: kind)
                let spelling = contract.spelling(of: use.field, in: endpoint)
                let expected = contract.messages["\(use.field.snakeCased)_missing"] ?? "\(spelling) is required."
                #expect(try JSON.read(answer.body)[contract.failureKey] == .string(expected), "\(kind)")
            }
        }
    }

    @Test func `PT-31: a field has one maximum, for codec, types and OpenAPI`() throws {
        let schema = Contract.timetracker.openAPI()
        #expect(String(decoding: schema.bytes, as: UTF8.self).contains("\"maxLength\":2048"))
        let codec = try Codec(.timetracker)
        for (length, isRefused) in [(2048, false), (2049, true)] {
            let uri = "timetracker://" + String(repeating: "x", count: length - 14)
            let request = WireRequest(
                method: "GET", path: "/auth/login", query: "redirect_uri=\(PercentEncoding.encode(uri))")
            var refused = false
            do { _ = try codec.read(request) } catch {
                refused = error == .refused(.invalid(.redirectUri, .tooLong(maximum: length - 1)))
            }
            #expect(refused == isRefused)
        }
        #expect(Field.email.maximumBytes == EmailAddress.maximumBytes)
        #expect(Field.deviceId.maximumBytes == DeviceInfo.maximumBytes)
    }

    /// The operations whose requests have a body with something required in it, each with a request that is understood.
    private func requests(_ contract: Contract) throws -> [(endpoint: Endpoint, request: WireRequest)] {
        let codec = try Codec(contract)
        return try Samples(contract: contract, isFull: true).scenes().compactMap { scene in
            let request = try codec.write(scene.call)
            let endpoint = contract.endpoint(for: type(of: scene.call).kind)
            guard let endpoint, endpoint.method != .get, endpoint.takes?.contains(where: { !$0.isOptional }) == true
            else { return nil }
            return (endpoint, request)
        }
    }

    @Test(arguments: Tested.contracts) func `an unknown path is 404`(contract: Contract) throws {
        let known = contract.prefix + (contract.endpoint(for: .signOut)?.path ?? "")
        for path in [
            "/", "", "/nothing", contract.prefix, "\(contract.prefix)/", "\(known)/", "/\(known)", "\(known)/x",
            known.uppercased(), "\(contract.prefix)//logout", "\(contract.prefix)/%6Cogout", "\(contract.prefix)/../x",
            "\(contract.prefix)/sessions/", "\(contract.prefix)/sessions/a/b", "\(contract.prefix)/sessions/%zz",
            "\(contract.prefix)/sessions/%c0%ae",
        ] {
            for method in ["GET", "POST", "DELETE"] {
                try expect(404, "not_found", for: WireRequest(method: method, path: path), contract)
            }
        }
    }

    @Test(arguments: Tested.contracts) func `a wrong method is 405 and tells the right ones`(contract: Contract) throws
    {
        for (kind, endpoint) in contract.operations {
            let path = (contract.prefix + endpoint.path)
                .split(separator: "/", omittingEmptySubsequences: false).map { $0.hasPrefix("{") ? "x" : $0 }
                .joined(separator: "/")
            // Also those whose placeholder stands for the segment.
            let siblings = contract.operations.filter { Self.matches(contract.prefix + $0.endpoint.path, path) }
            let allowed = siblings.map(\.endpoint.method.rawValue).sorted()
            for method in [
                "TRACE", "CONNECT", "HEAD", "OPTIONS", "post", "get", "PROPFIND", "", "GET", "PUT", "DELETE",
            ]
            where !allowed.contains(method) {
                let request = WireRequest(
                    method: method, path: path, headers: ["x-http-method-override": endpoint.method.rawValue])
                try expect(405, "method_not_allowed", for: request, contract)
                let allow = try refusal(request, contract)?.headers["allow"]
                #expect(allow == allowed.joined(separator: ", "), "\(kind)")
            }
        }
    }

    private static func matches(_ pattern: String, _ path: String) -> Bool {
        let (expected, given) = (pattern.split(separator: "/"), path.split(separator: "/"))
        return expected.count == given.count
            && zip(expected, given).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
    }

    @Test(arguments: Tested.contracts) func `a body of another type is 415 (IN-08)`(contract: Contract) throws {
        for (_, request) in try requests(contract) {
            for type in [
                nil, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                "text/json",
                "application/xml", "application/json;charset=utf-16", "application/json; charset=\"utf-16\"",
                "application/json; charset=iso-8859-1", "application/jsonp", "application/json, text/plain", "json",
            ] {
                var request = request
                request.headers["content-type"] = type
                try expect(415, "unsupported_media_type", for: request, contract)
            }
        }
    }

    @Test(arguments: Tested.contracts) func `JSON in UTF-8 is understood by all its names`(contract: Contract) throws {
        for (_, request) in try requests(contract) {
            for type in [
                "application/json", "Application/JSON", "application/json;charset=utf-8",
                "application/json; charset=UTF-8",
                "application/json ; charset=\"utf-8\"", "application/json; profile=x",
            ] {
                var request = request
                request.headers["content-type"] = type
                #expect(try refusal(request, contract) == nil, "\(type)")
            }
        }
    }

    @Test(arguments: Tested.contracts) func `a body that cannot be read is 400`(contract: Contract) throws {
        for (_, request) in try requests(contract) {
            let text = String(decoding: request.body, as: UTF8.self)
            let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
            for body in [
                "{", "}", "[]", "null", "1", "\"x\"", "true", "[\(text)]", "\(text)\(text)", "\(text),",
                "\u{FEFF}\(text)",
                "\(text)\u{0}", "a=b", "{\"x\":\(deep),\(text.dropFirst())", "{\"x\":\"\\ud800\",\(text.dropFirst())",
                "{\"x\":1e400,\(text.dropFirst())", "{\"x\":1,\"x\":1,\(text.dropFirst())",
                "{\"x\":NaN,\(text.dropFirst())", " ",
            ] {
                var request = request
                request.body = body.bytes
                try expect(400, "malformed_request", for: request, contract)
            }
        }
    }

    @Test(arguments: Tested.contracts) func `what the contract does not know is ignored`(contract: Contract) throws {
        for (_, request) in try requests(contract) {
            var request = request
            request.body = "{\"x\":[{}],\"X-Y\":null,".bytes + request.body.dropFirst()
            #expect(try refusal(request, contract) == nil)
        }
    }

    @Test(arguments: Tested.contracts) func `a required field that is absent or null is 400`(contract: Contract) throws
    {
        for (endpoint, request) in try requests(contract) {
            guard case .object(let members) = try JSON.read(request.body) else { continue }
            for use in endpoint.takes ?? [] where !use.isOptional {
                let name = contract.spelling(of: use.field, in: endpoint)
                var request = request
                request.body = JSON.object(members.filter { $0.name != name }).bytes
                try expect(400, "\(use.field.snakeCased)_missing", for: request, contract)
                request.body =
                    JSON.object(members.map { JSON.Member($0.name, $0.name == name ? .null : $0.value) }).bytes
                try expect(400, "\(use.field.snakeCased)_missing", for: request, contract)
            }
        }
    }

    @Test(arguments: Tested.contracts)
    func `an optional field that is absent or null is fine`(contract: Contract) throws {
        for (endpoint, request) in try requests(contract) {
            guard case .object(let members) = try JSON.read(request.body) else { continue }
            let takes = endpoint.takes ?? []
            // Without `credential`, `answers` is required, or the password.
            let alternatives: Set<Field> = takes.contains(.optional(.credential)) ? [.answers, .password] : []
            for use in takes where use.isOptional && !alternatives.contains(use.field) {
                let name = contract.spelling(of: use.field, in: endpoint)
                var request = request
                request.body = JSON.object(members.filter { $0.name != name }).bytes
                #expect(try refusal(request, contract) == nil, "\(name)")
                request.body =
                    JSON.object(members.map { JSON.Member($0.name, $0.name == name ? .null : $0.value) }).bytes
                #expect(try refusal(request, contract) == nil, "\(name)")
            }
        }
    }

    @Test(arguments: [Contract.vici, .clarity, .barqnet, .viewvault])
    func `a registration has a password or a passkey, and a passkey both of its fields`(contract: Contract) throws {
        for kind in [OperationKind.register, .confirmRegistration] {
            guard let endpoint = contract.endpoint(for: kind),
                let request = try requests(contract).first(where: { $0.endpoint == endpoint })?.request,
                case .object(let members) = try JSON.read(request.body)
            else { continue }
            let (token, credential) = (
                JSON.Member(contract.spelling(of: .passkeyToken, in: endpoint), "t"),
                JSON.Member(contract.spelling(of: .credential, in: endpoint), ["id": "AQ"])
            )
            let rest = members.filter { $0.name != contract.spelling(of: .password, in: endpoint) }
            func body(_ members: [JSON.Member]) -> WireRequest {
                var request = request
                request.body = JSON.object(members).bytes
                return request
            }
            #expect(try refusal(body(rest + [token, credential]), contract) == nil)
            try expect(400, "password_missing", for: body(rest), contract)
            try expect(400, "credential_missing", for: body(rest + [token]), contract)
            try expect(400, "passkey_token_missing", for: body(rest + [credential]), contract)
            try expect(400, "credential_not_supported", for: body(members + [token, credential]), contract)
        }
    }

    @Test(arguments: Tested.contracts) func `a body of no bytes lacks the first field`(contract: Contract) throws {
        for (endpoint, request) in try requests(contract) {
            guard let use = endpoint.takes?.first(where: { !$0.isOptional }) else { continue }
            var request = request
            request.body = []
            request.headers["content-type"] = nil
            try expect(400, "\(use.field.snakeCased)_missing", for: request, contract)
        }
    }

    @Test(arguments: Tested.contracts) func `a field of another type is 400 (IN-03, OT-07)`(contract: Contract) throws {
        let values: [JSON] = [
            1, .number(1.5), .number(9.223372036854775808e18), .number(-0.0), true, "text", [], ["123456"], [:],
            ["a": 1],
        ]
        for (endpoint, request) in try requests(contract) {
            guard case .object(let members) = try JSON.read(request.body) else { continue }
            for use in endpoint.takes ?? [] {
                let name = contract.spelling(of: use.field, in: endpoint)
                guard let right = members.first(where: { $0.name == name })?.value else { continue }
                for value in values where !Self.isOneType(value, right) {
                    var request = request
                    request.body = JSON.object(members.map { $0.name == name ? JSON.Member(name, value) : $0 }).bytes
                    try expect(400, "\(use.field.snakeCased)_mistyped", for: request, contract)
                }
            }
        }
    }

    private static func isOneType(_ one: JSON, _ other: JSON) -> Bool {
        switch (one, other) {
        case (.string, .string), (.boolean, .boolean), (.integer, .integer), (.array, .array), (.object, .object): true
        default: false
        }
    }

    @Test(arguments: Tested.contracts)
    func `signed-in operations without a bearer token are 401`(contract: Contract) throws {
        let codec = try Codec(contract)
        for scene in try Samples(contract: contract, isFull: true).scenes()
        where type(of: scene.call).description.authorization == .required {
            let request = try codec.write(scene.call)
            for header in [
                nil, "", "Bearer", "Bearer ", "Basic dTpw", "Token abc", "eyJhbGciOiJIUzI1NiJ9", "Bearer a b",
                "Bearer\ta",
                "Digest Bearer", "Bearer,abc def",
            ] {
                var request = request
                request.headers["authorization"] = header
                try expect(401, "invalid_access_token", for: request, contract)
            }
        }
    }

    @Test(arguments: Tested.contracts) func `the scheme of a bearer token has no case`(contract: Contract) throws {
        let endpoint = try #require(contract.endpoint(for: .currentUser))
        for header in ["Bearer abc", "bearer abc", "BEARER abc", "Bearer  abc"] {
            let request = WireRequest(
                method: "GET", path: contract.prefix + endpoint.path, headers: ["authorization": header])
            let read = try Codec(contract).read(request)
            #expect(read as? CurrentUser == CurrentUser(accessToken: Secret("abc")))
        }
    }

    @Test(arguments: Tested.contracts) func `too large a body has the contract's error body`(contract: Contract) throws
    {
        let response = try Codec(contract).write(WireRefusal.bodyTooLarge)
        #expect(response.status == 413)
        let body = try JSON.read(response.body)
        #expect(body["code"] == "body_too_large")
        #expect(body[contract.failureKey] != nil)
        if let envelope = contract.envelope { #expect(body[envelope.successKey] == false) }
    }

    // MARK: Particular fields

    @Test(arguments: ["facebook", "twitter", "", "Google", "google%2F", "google/github", "%zz", "google%00"])
    func `a provider that viewvault does not name is 404`(provider: String) throws {
        try expect(
            404, "not_found", for: WireRequest(method: "POST", path: "/api/auth/auth0/oauth/\(provider)"), .viewvault)
    }

    @Test(arguments: ["redirect_uri=%zz", "redirect_uri=%ff", "redirect_uri=a&redirect_uri=b", "%ff=a&redirect_uri=b"])
    func `a query that cannot be read is 400 (IN-13)`(query: String) throws {
        let request = WireRequest(method: "GET", path: "/auth/login", query: query)
        try expect(400, "malformed_request", for: request, .timetracker)
    }

    @Test(arguments: ["", "redirect", "x=1&redirectUri=a"])
    func `a query without a redirect URI is 400`(query: String) throws {
        let request = WireRequest(method: "GET", path: "/auth/login", query: query)
        try expect(400, "redirect_uri_missing", for: request, .timetracker)
    }

    @Test(arguments: [("redirect_uri=a+b", "a b"), ("redirect_uri=a%2Bb", "a+b"), ("x=&redirect_uri=a%3Db=c", "a=b=c")])
    func `a query is read as forms are`(query: String, redirectURI: String) throws {
        let request = WireRequest(method: "GET", path: "/auth/login", query: query)
        let read = try Codec(.timetracker).read(request)
        #expect(read as? BeginBrowserSignIn == BeginBrowserSignIn(redirectURI: redirectURI))
    }

    @Test func `a query that nobody reads does no harm`() throws {
        let headers = ["authorization": "Bearer abc"]
        let request = WireRequest(method: "GET", path: "/auth/me", query: "a=1&a=2&%zz", headers: headers)
        #expect(try refusal(request, .timetracker) == nil)
    }

    @Test(arguments: [
        ("device_id", 200, true), ("device_id", 201, false), ("app_version", 200, true), ("app_version", 201, false),
        ("os_version", 201, false), ("platform", 201, false),
    ]) func `what a device says has at most 200 bytes (IN-25)`(name: String, bytes: Int, isAccepted: Bool) throws {
        let text = String(repeating: "é", count: bytes / 2) + (bytes.isMultiple(of: 2) ? "" : "a")
        let request = Self.clarityLogin(device: .object([JSON.Member(name, .string(text))]))
        if isAccepted {
            #expect(try refusal(request, .clarity) == nil)
        } else {
            try expect(400, "\(name)_too_long", for: request, .clarity)
            let body = try JSON.read(refusal(request, .clarity)?.body ?? [])
            #expect(body["maximum"] == 200)
        }
    }

    @Test func `what a device says has no NUL, which PostgreSQL cannot keep`() throws {
        try expect(400, "platform_malformed", for: Self.clarityLogin(device: ["platform": "iOS\u{0}"]), .clarity)
    }

    @Test func `a field of a device of another type is 400`() throws {
        try expect(400, "platform_mistyped", for: Self.clarityLogin(device: ["platform": 1]), .clarity)
        try expect(400, "device_info_mistyped", for: Self.clarityLogin(device: "iPhone"), .clarity)
    }

    @Test func `a password is taken as it is, whatever is in it`() throws {
        let password = "  a\u{0}\n\u{301}" + String(repeating: "é", count: 20_000)
        let email = try EmailAddress("a@x.com")
        let call = SignIn(identifier: .email(email), password: Secret(password))
        let codec = try Codec(.vici)
        let read = try codec.read(codec.write(call)) as? SignIn
        #expect(read.map { Array($0.password.reveal().utf8) } == Array(password.utf8))
    }

    private static func clarityLogin(device: JSON) -> WireRequest {
        let body: JSON = ["email": "a@x.com", "password": "p", "device_info": device]
        return WireRequest(
            method: "POST", path: "/api/v1/auth/login", headers: ["content-type": "application/json"], body: body.bytes)
    }
}

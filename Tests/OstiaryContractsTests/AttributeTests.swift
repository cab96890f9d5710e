import OstiaryContracts
import OstiaryCore
import Testing

@Suite struct AttributeTests {
    static func definitions() throws -> AttributeDefinitions {
        try AttributeDefinitions([
            AttributeDefinition("avatar_url", .string, access: .owner, maximum: 500),
            AttributeDefinition("plan", .string, isVisible: true, allowed: ["free", "pro"]),
            AttributeDefinition("seats", .integer, access: .owner),
            AttributeDefinition("rating", .number, access: .owner),
            AttributeDefinition("wants_news", .boolean, access: .owner),
            AttributeDefinition("tags", .stringList, access: .owner),
            AttributeDefinition("trial_ends_at", .dateTime, access: .owner),
            AttributeDefinition("internal_note", .string),
        ])
    }

    private static let values: [String: AttributeValue] = [
        "avatar_url": "https://example.com/a.png", "seats": 9_007_199_254_740_991, "rating": 4.0, "wants_news": false,
        "tags": ["a", "b"], "trial_ends_at": "2027-01-31T12:00:00Z",
    ]

    private func server(_ contract: Contract) throws -> Codec { try Codec(contract, attributes: Self.definitions()) }

    private func register(_ contract: Contract) throws -> Register? {
        let scenes = try Samples(contract: contract, isFull: true).scenes()
        return scenes.lazy.compactMap { $0.call as? Register }.first
    }

    @Test(arguments: Tested.contracts) func `a request is read as it was written`(contract: Contract) throws {
        var calls: [any AuthOperation] = []
        if var register = try register(contract) {
            register.attributes = Self.values
            calls.append(register)
        }
        if contract.endpoint(for: .updateProfile) != nil {
            calls.append(UpdateProfile(accessToken: Secret("t"), attributes: Self.values))
        }
        for call in calls { try expectRoundTrip(call, contract) }
        #expect(calls.count == (contract.rules.identifier == .subject ? 0 : 2))
    }

    private func expectRoundTrip<Call: AuthOperation>(_ call: Call, _ contract: Contract) throws {
        // The client declares nothing.
        let request = try Codec(contract).write(call)
        #expect(try server(contract).read(request) as? Call == call)
        let undeclared = try Codec(contract).read(request)
        #expect(((undeclared as? Register)?.attributes ?? (undeclared as? UpdateProfile)?.attributes) == [:])
    }

    @Test(arguments: Tested.contracts) func `a user is read as it was written, without a declaration`(
        contract: Contract
    )
        throws
    {
        let samples = Samples(contract: contract, isFull: true)
        for scene in try samples.scenes() {
            guard case .answer(let answer) = scene.outcome else { continue }
            if var user = answer as? User {
                user.attributes = Self.values.merging(["plan": "pro"]) { $1 }
                try expectRoundTrip(user, to: scene.call, contract)
            }
            if var signedIn = answer as? SignedIn, signedIn.user != nil {
                signedIn.user?.attributes = Self.values
                try expectRoundTrip(signedIn, to: scene.call, contract)
            }
        }
    }

    private func expectRoundTrip<Call: AuthOperation>(
        _ answer: any OperationAnswer, to call: Call, _ contract: Contract
    )
        throws
    {
        let answer = try #require(answer as? Call.Answer)
        let response = try server(contract).write(answer, to: Call.kind)
        let isSame = try Codec(contract).read(response, to: Call.self) == answer
        #expect(isSame, "\(Call.kind)")
    }

    @Test(arguments: Tested.contracts) func `a user has every visible attribute in the contract's spelling`(
        contract: Contract
    ) throws {
        let user = try User(id: AccountID("7"), email: EmailAddress("a@b.cc"), attributes: ["avatar_url": "x"])
        var body = try JSON.read(server(contract).write(user, to: .currentUser).body)
        if let envelope = contract.envelope { body = try #require(body[envelope.dataKey]) }
        let isCamelCased = contract.naming == .camelCase
        #expect(body[isCamelCased ? "avatarUrl" : "avatar_url"] == "x")
        #expect(body[isCamelCased ? "trialEndsAt" : "trial_ends_at"] == .null)
        #expect(body["plan"] == .null)
        #expect(body[isCamelCased ? "internalNote" : "internal_note"] == nil)
        #expect(body["attributes"] == nil)
    }

    @Test(arguments: Tested.contracts) func `without a declaration a user has the contract's members only`(
        contract: Contract
    ) throws {
        var user = try User(id: AccountID("7"), email: EmailAddress("a@b.cc"))
        let plain = try Codec(contract).write(user, to: .currentUser)
        user.attributes = ["plan": "pro"]
        #expect(try Codec(contract).write(user, to: .currentUser) == plain)
    }

    // MARK: Reading

    private func read(_ body: String, _ kind: OperationKind = .updateProfile, _ contract: Contract = .vici) throws
        -> [String: AttributeValue]?
    {
        let endpoint = try #require(contract.endpoint(for: kind))
        let request = WireRequest(
            method: endpoint.method.rawValue, path: contract.prefix + endpoint.path,
            headers: ["content-type": "application/json", "authorization": "Bearer t"], body: body.bytes)
        return (try server(contract).read(request) as? UpdateProfile)?.attributes
    }

    @Test func `null is as good as absent, and unknown members are ignored`() throws {
        #expect(
            try read(#"{"avatarUrl":null,"avatar_url":"x","AvatarUrl":"x","internal":1,"attributes":{"plan":"pro"}}"#)
                == [:])
        #expect(try read("") == [:])
    }

    @Test func `an attribute that only administrators write is read, so that the engine can refuse it`() throws {
        #expect(try read(#"{"plan":"pro","internalNote":"x"}"#) == ["plan": "pro", "internal_note": "x"])
    }

    @Test(arguments: [
        #"{"tags":{}}"#, #"{"tags":[1]}"#, #"{"tags":["a",["b"]]}"#, #"{"tags":[null]}"#, #"{"tags":{"a":1}}"#,
    ]) func `an object and a mixed list are no value`(body: String) throws {
        #expect(throws: WireRefusal.refused(.invalidAttribute("tags", .mistyped))) { try read(body) }
    }

    static let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)

    @Test(arguments: [
        #"{"seats":NaN}"#, #"{"seats":1e400}"#, #"{"seats":Infinity}"#, #"{"tags":"# + deep + "}",
        #"{"avatarUrl":"a","avatarUrl":"b"}"#, #"{"avatarUrl":"\ud800"}"#,
        #"{"avatarUrl":"a"# + String(repeating: "\u{301}", count: 100) + #""}"#,
    ]) func `a body that is no strict JSON is refused whole`(body: String) {
        #expect(throws: WireRefusal.refused(.malformedRequest)) { try read(body) }
    }

    @Test func `a client reads what has the form of an attribute, within limits`() throws {
        let long = String(repeating: "x", count: AttributeDefinitions.maximumBytes + 1)
        let many = (0..<100).map { #""m\#($0)":1"# }.joined(separator: ",")
        let members = #""id":"7","email":"a@b.cc","name":"J","plan":"pro","Odd":1,"a_b":1,"deep":{"a":1},"bad-name":1"#
        let body = "{\(members),\"roles\":[\"admin\"],\"createdAt\":\"x\",\"long\":\"\(long)\",\"none\":null}"
        let user = try Codec(.vici).read(WireResponse(status: 200, body: body.bytes), to: CurrentUser.self)
        #expect(user.attributes == ["plan": "pro"])
        let full = try Codec(.vici).read(
            WireResponse(status: 200, body: #"{"id":"7","email":"a@b.cc",\#(many)}"#.bytes), to: CurrentUser.self)
        #expect(full.attributes.count == AttributeDefinitions.maximumCount)
    }

    // MARK: Names

    @Test(arguments: Tested.contracts) func `an attribute has no name of the contract`(contract: Contract) throws {
        let taken: [String] = [
            "email", "full_name", "password", "id", "roles", "is_admin", "user", "code", "access_token",
            contract.failureKey, "retry_after", "message",
        ]
        for name in taken {
            #expect(contract.nameTaken(byAttribute: name) != nil, "\(name)")
            let definitions = try AttributeDefinitions([AttributeDefinition(name, .string)])
            #expect(throws: ContractProblem.self, "\(name)") { try Codec(contract, attributes: definitions) }
        }
        for definition in try Self.definitions().all {
            #expect(contract.nameTaken(byAttribute: definition.name) == nil)
        }
    }

    @Test func `a contract's own spelling is taken too`() throws {
        var contract = Contract.vici
        contract.names[.fullName] = "displayName"
        #expect(contract.nameTaken(byAttribute: "display_name") == "displayName")
        #expect(Contract.vici.nameTaken(byAttribute: "display_name") == nil)
        #expect(Contract.vici.nameTaken(byAttribute: "name") == "name")
        #expect(Contract.barqnet.nameTaken(byAttribute: "success") == "success")
    }

    @Test func `a client writes no attribute with a name of the contract`() throws {
        for name in ["password", "email", "Plan", ""] {
            var register = Register(email: try EmailAddress("a@b.cc"), password: Secret("x"))
            register.attributes = [name: "x"]
            #expect(throws: ContractProblem.self) { try Codec(.vici).write(register) }
        }
    }

    // MARK: Refusals

    static let problems: [FieldProblem] = [
        .missing, .mistyped, .malformed, .tooLong(maximum: 500), .tooMany(maximum: 20), .notSupported, .readOnly,
        .unknown,
    ]

    @Test(arguments: Tested.contracts, problems)
    func `a refusal is read as it was written`(contract: Contract, problem: FieldProblem) throws {
        guard contract.rules.identifier != .subject else { return }
        let error = AuthError.invalidAttribute("avatar_url", problem)
        let response = try server(contract).write(error, to: .updateProfile)
        #expect(response.status == 400)
        let body = try JSON.read(response.body)
        #expect(body["code"] == .string("avatar_url_\(problem.code)"))
        guard case .string(let text) = body[contract.failureKey] else { throw Absent() }
        #expect(text.contains(contract.naming == .camelCase ? "avatarUrl" : "avatar_url"))
        #expect(throws: error) { try Codec(contract).read(response, to: UpdateProfile.self) }
        #expect(throws: error) { try Codec(contract).read(response, to: Register.self) }
    }

    private struct Absent: Error {}

    @Test func `a code of an original backend is no refusal of an attribute`() throws {
        let body = #"{"error":"no","code":"plan_missing"}"#.bytes
        for status in [401, 403, 409] {
            #expect(throws: (any Error).self) {
                try Codec(.vici).read(WireResponse(status: status, body: body), to: UpdateProfile.self)
            }
        }
        #expect(throws: AuthError.rejected(status: 400, message: "no")) {
            try Codec(.vici).read(WireResponse(status: 400, body: body), to: CurrentUser.self)
        }
    }

    // MARK: OpenAPI

    @Test(arguments: Tested.contracts) func `the description has the attributes`(contract: Contract) throws {
        let document = contract.openAPI(attributes: try Self.definitions())
        let check = SchemaCheck(document: document)
        let schema = try #require(document["components"]?["schemas"]?["User"])
        for attributes in [[:], Self.values.merging(["plan": "pro"]) { $1 }] {
            var user = try #require(try userAnswer(contract))
            user.attributes = attributes
            var body = try JSON.read(server(contract).write(user, to: .currentUser).body)
            if let envelope = contract.envelope { body = try #require(body[envelope.dataKey]) }
            #expect(check.problems(body, against: schema) == [])
        }
        let plan = contract.naming == .camelCase ? "internalNote" : "internal_note"
        #expect(schema["properties"]?[plan] == nil)
        #expect(contract.openAPI(attributes: .none) == contract.openAPI())
    }

    private func userAnswer(_ contract: Contract) throws -> User? {
        for scene in try Samples(contract: contract, isFull: true).scenes() {
            if case .answer(let answer) = scene.outcome, let user = answer as? User { return user }
        }
        return nil
    }

    @Test func `the description of a request has the owner's attributes only`() throws {
        let document = Contract.vici.openAPI(attributes: try Self.definitions())
        let schema = document["paths"]?["/api/auth/me"]?["patch"]?["requestBody"]?["content"]?["application/json"]?[
            "schema"]
        #expect(schema?["properties"]?["avatarUrl"] == ["type": ["string", "null"], "maxLength": 500])
        #expect(schema?["properties"]?["plan"] == nil && schema?["properties"]?["internalNote"] == nil)
        #expect(schema?["required"] == nil)
    }
}

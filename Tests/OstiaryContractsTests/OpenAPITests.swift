import OstiaryContracts
import OstiaryCore
import Testing

@Suite struct OpenAPITests {
    private func operation(_ kind: OperationKind, _ contract: Contract) throws -> JSON {
        guard case .object(let paths) = contract.openAPI()["paths"] else { throw Absent() }
        for path in paths {
            guard case .object(let methods) = path.value else { continue }
            for method in methods where method.value["operationId"] == .string(kind.rawValue) { return method.value }
        }
        throw Absent()
    }

    private struct Absent: Error {}

    @Test func `says what it describes`() {
        let document = Contract.vici.openAPI(title: "Vici", version: "2", serverURL: "https://auth.example.com/vici")
        #expect(document["openapi"] == "3.1.0")
        #expect(document["info"]?["title"] == "Vici")
        #expect(document["info"]?["version"] == "2")
        #expect(document["servers"] == [["url": "https://auth.example.com/vici"]])
        #expect(Contract.vici.openAPI()["info"]?["title"] == "vici")
    }

    @Test(arguments: Tested.contracts) func `every operation stands under its path and method`(contract: Contract)
        throws
    {
        let paths = try #require(contract.openAPI()["paths"])
        for (kind, endpoint) in contract.operations {
            let path = (contract.prefix + endpoint.path).split(separator: "/", omittingEmptySubsequences: false).map {
                segment in
                Field(rawValue: String(segment.dropFirst().dropLast())).map { field in
                    segment.hasPrefix("{") ? "{\(contract.spelling(of: field))}" : String(segment)
                } ?? String(segment)
            }
            let item = paths[path.joined(separator: "/")]?[endpoint.method.rawValue.lowercased()]
            #expect(item?["operationId"] == .string(kind.rawValue), "\(kind)")
        }
        #expect(paths["/verify"] != nil && paths["/openapi.json"] != nil)
    }

    @Test(arguments: Tested.contracts, [true, false])
    func `every request that the client writes is as described`(contract: Contract, isFull: Bool) throws {
        let codec = try Codec(contract)
        let check = SchemaCheck(document: contract.openAPI())
        for scene in try Samples(contract: contract, isFull: isFull).scenes() {
            let kind = type(of: scene.call).kind
            let operation = try operation(kind, contract)
            let request = try codec.write(scene.call)
            let schema = operation["requestBody"]?["content"]?["application/json"]?["schema"]
            #expect((schema == nil) == request.body.isEmpty, "\(kind)")
            if let schema {
                let problems = check.problems(try JSON.read(request.body), against: schema)
                #expect(problems.isEmpty, "\(kind): \(problems)")
            }
        }
    }

    @Test(arguments: Tested.contracts, [true, false])
    func `every answer that the server writes is as described`(contract: Contract, isFull: Bool) throws {
        let codec = try Codec(contract)
        let check = SchemaCheck(document: contract.openAPI())
        let samples = Samples(contract: contract, isFull: isFull)
        for scene in try samples.scenes() + samples.completedSignIns() {
            guard case .answer(let answer) = scene.outcome else { continue }
            let kind = type(of: scene.call).kind
            let response = write(answer, to: kind, codec)
            let described = try operation(kind, contract)["responses"]?[String(response.status)]
            let schema = described?["content"]?["application/json"]?["schema"]
            #expect(described != nil, "\(kind) does not tell of \(response.status)")
            #expect((schema == nil) == response.body.isEmpty, "\(kind)")
            if let schema {
                let problems = check.problems(try JSON.read(response.body), against: schema)
                #expect(problems.isEmpty, "\(kind): \(problems)")
            }
        }
    }

    private func write(_ answer: some OperationAnswer, to kind: OperationKind, _ codec: Codec) -> WireResponse {
        codec.write(answer, to: kind)
    }

    @Test(arguments: Tested.contracts) func `every refusal that the server writes is as described`(contract: Contract)
        throws
    {
        let codec = try Codec(contract)
        let document = contract.openAPI()
        let check = SchemaCheck(document: document)
        let refusals =
            RoundTripTests.refusals.map { codec.write($0) }
            + [WireRefusal.wrongMethod(allowed: ["GET"]), .bodyTooLarge, .unsupportedMediaType].map { codec.write($0) }
        for response in refusals {
            let described = document["components"]?["responses"]?["Failure\(response.status)"]
            let schema = try #require(described?["content"]?["application/json"]?["schema"])
            #expect(check.problems(try JSON.read(response.body), against: schema).isEmpty)
            guard case .object(let headers) = described?["headers"] else { continue }
            for header in headers where header.name != "Retry-After" {
                #expect(response.headers[header.name.lowercased()] != nil, "\(response.status)")
            }
        }
    }

    @Test(arguments: Tested.contracts) func `the schemas are strict enough to fail`(contract: Contract) throws {
        let document = contract.openAPI()
        let check = SchemaCheck(document: document)
        let schema = try #require(document["components"]?["schemas"]?["User"])
        #expect(!check.problems([:], against: schema).isEmpty)
        let kind = OperationKind.currentUser
        let scene = try #require(
            Samples(contract: contract, isFull: true).scenes().first { type(of: $0.call).kind == kind })
        guard case .answer(let answer as User) = scene.outcome else { throw Absent() }
        let body = try JSON.read(Codec(contract).write(answer, to: kind).body)
        let user = contract.envelope.flatMap { body[$0.dataKey] } ?? body
        guard case .object(let members) = user else { throw Absent() }
        #expect(check.problems(user, against: schema).isEmpty)
        #expect(!check.problems(.object(members + [JSON.Member("extra", 1)]), against: schema).isEmpty)
        for index in members.indices {
            var fewer = members
            fewer.remove(at: index)
            #expect(!check.problems(.object(fewer), against: schema).isEmpty)
        }
    }

    @Test func `bearer tokens are required, optional or unknown`() throws {
        #expect(try operation(.currentUser, .clarity)["security"] == [["bearer": []]])
        #expect(try operation(.signOut, .clarity)["security"] == [["bearer": []], [:]])
        #expect(try operation(.signIn, .clarity)["security"] == [])
    }

    @Test(arguments: Tested.contracts)
    func `each operation that signs in or recognizes describes the secret of the device`(contract: Contract) throws {
        func signsIn<Call: AuthOperation>(_: Call.Type) -> Bool { Call.Answer.self == SignedIn.self }
        for (kind, endpoint) in contract.operations {
            let operation = try operation(kind, contract)
            var parameters: [JSON] = []
            if case .array(let all) = operation["parameters"] { parameters = all }
            let isSent = parameters.contains { $0["name"] == "X-Device-Token" && $0["in"] == "header" }
            let success = operation["responses"]?[String(endpoint.status ?? 200)]
            let isReceived = success?["headers"]?["X-Device-Token"] != nil
            #expect(
                isReceived == (signsIn(kind.operation) || kind == .resetPassword || kind == .redeemDeviceLink),
                "\(kind)")
            #expect(isSent == (isReceived || kind == .listDevices), "\(kind)")
        }
    }

    @Test func `a query is described as one`() throws {
        let operation = try operation(.beginBrowserSignIn, .timetracker)
        let parameters: JSON = [
            [
                "name": "redirect_uri", "in": "query", "required": true,
                "schema": ["type": "string", "format": "uri", "maxLength": 2048],
            ],
            [
                "name": "app_challenge", "in": "query", "required": false,
                "schema": ["type": "string", "maxLength": 128],
            ],
            ["name": "provider", "in": "query", "required": false, "schema": ["type": "string", "maxLength": 64]],
        ]
        #expect(operation["parameters"] == parameters)
        #expect(operation["requestBody"] == nil)
        #expect(operation["responses"]?["302"]?["headers"]?["Location"] != nil)
    }

    @Test func `a path's parameters are described with the values there are`() throws {
        let parameters = try operation(.beginSocialSignIn, .viewvault)["parameters"]
        let provider: JSON = [
            "name": "provider", "in": "path", "required": true,
            "schema": ["type": "string", "enum": ["google", "github"]],
        ]
        #expect(parameters == [provider])
        #expect(Contract.barqnet.openAPI()["paths"]?["/v1/auth/sessions/{session_id}"]?["delete"] != nil)
    }

    @Test func `numbers, addresses, codes and passwords tell their form`() throws {
        let body = try operation(.register, .barqnet)["requestBody"]?["content"]?["application/json"]?["schema"]
        #expect(body?["properties"]?["phone_number"]?["pattern"] == "^\\+[1-9][0-9]{6,14}$")
        #expect(body?["properties"]?["otp"]?["pattern"] == "^[0-9]{4,10}$")
        #expect(body?["properties"]?["password"]?["format"] == "password")
        // A passkey can stand in the place of the password.
        #expect(body?["required"] == ["phone_number", "otp"])
        let vici = try operation(.register, .vici)["requestBody"]?["content"]?["application/json"]?["schema"]
        #expect(vici?["properties"]?["email"]?["format"] == "email")
        #expect(vici?["properties"]?["name"]?["type"] == ["string", "null"])
        let user = Contract.viewvault.openAPI()["components"]?["schemas"]?["User"]
        #expect(user?["properties"]?["id"]?["type"] == "integer")
    }

    @Test(arguments: [
        (OperationKind.signIn, [400, 401, 403, 405, 413, 415, 429, 503]),
        (.register, [400, 401, 403, 405, 409, 413, 415, 429, 503]),
        (.currentUser, [400, 401, 405, 429, 503]), (.endSession, [400, 401, 404, 405, 413, 429, 503]),
        (.signOut, [400, 405, 413, 415, 429, 503]), (.requestPasswordReset, [400, 403, 405, 413, 415, 429, 503]),
    ]) func `each operation tells the refusals it can meet`(kind: OperationKind, statuses: [Int]) throws {
        guard case .object(let responses) = try operation(kind, .clarity)["responses"] else { throw Absent() }
        #expect(responses.dropFirst().map(\.name) == statuses.map { String($0) })
        #expect(
            responses.dropFirst().allSatisfy { $0.value["$ref"] == .string("#/components/responses/Failure\($0.name)") }
        )
    }
}

import Foundation
import OstiaryAdmin
import OstiaryTesting
import Testing

@Suite struct AdminClientTests {
    /// A method of the client for each operation, by the operation's name.
    static let calls: [String: @Sendable (AdminClient) async throws -> Void] = [
        "listApps": { _ = try await $0.apps().page() },
        "listAccounts": { _ = try await $0.accounts(in: "vici", AdminAccountQuery(text: "jo")).page() },
        "createAccount": { _ = try await $0.createAccount(AdminAccountCreation(email: "a@example.com"), in: "vici") },
        "getAccount": { _ = try await $0.account("7", in: "vici") },
        "updateAccount": { _ = try await $0.updateAccount("7", in: "vici", AdminAccountPatch(email: .remove)) },
        "deleteAccount": { try await $0.deleteAccount("7", in: "vici") },
        "disableAccount": { try await $0.disableAccount("7", in: "vici") },
        "enableAccount": { try await $0.enableAccount("7", in: "vici") },
        "setPassword": { try await $0.setPassword(Secret("correct horse"), of: "7", in: "vici") },
        "sendPasswordReset": { try await $0.sendPasswordReset(to: "7", in: "vici") },
        "sendInvitation": { try await $0.sendInvitation(to: "7", in: "vici") },
        "listIdentities": { _ = try await $0.identities(of: "7", in: "vici").page() },
        "removeIdentity": { try await $0.removeIdentity("i1", of: "7", in: "vici") },
        "setRoles": { try await $0.setRoles([AdminRoleAssignment("editor")], of: "7", in: "vici") },
        "exportAccount": { _ = try await $0.export(of: "7", in: "vici") },
        "impersonate": { _ = try await $0.impersonate("7", in: "vici", reason: "Ticket 42", lifetime: .seconds(60)) },
        "listSessions": { _ = try await $0.sessions(of: "7", in: "vici").page() },
        "endSessions": { try await $0.endSessions(of: "7", in: "vici") },
        "endSession": { try await $0.endSession("s1", of: "7", in: "vici") },
        "listFactors": { _ = try await $0.factors(of: "7", in: "vici").page() },
        "removeFactors": { try await $0.removeFactors(of: "7", in: "vici") },
        "removeFactor": { try await $0.removeFactor("f1", of: "7", in: "vici") },
        "listRoles": { _ = try await $0.roles(in: "vici").page() },
        "createRole": { _ = try await $0.createRole("editor", permissions: ["videos:write"], in: "vici") },
        "updateRole": { _ = try await $0.updateRole("editor", permissions: ["*"], in: "vici") },
        "deleteRole": { try await $0.deleteRole("editor", in: "vici") },
        "listAuditEvents": { _ = try await $0.auditEvents(AdminAuditQuery(app: "vici", account: "7")).page() },
        "getStatistics": { _ = try await $0.statistics(AdminStatisticsQuery("vici", interval: .hour)) },
        "listMessages": { _ = try await $0.messages(AdminMessageQuery(state: .failed)).page() },
        "retryMessage": { try await $0.retryMessage("m1") },
        "listEventEndpoints": { _ = try await $0.eventEndpoints().page() },
        "createEventEndpoint": {
            _ = try await $0.createEventEndpoint(AdminEventEndpointCreation(url: "https://x.example", app: "vici"))
        },
        "getEventEndpoint": { _ = try await $0.eventEndpoint("ep_1") },
        "updateEventEndpoint": {
            _ = try await $0.updateEventEndpoint("ep_1", AdminEventEndpointPatch(state: .enabled))
        },
        "deleteEventEndpoint": { try await $0.deleteEventEndpoint("ep_1") },
        "rotateEventSecret": { _ = try await $0.rotateEventSecret(of: "ep_1") },
        "testEventEndpoint": { _ = try await $0.testEventEndpoint("ep_1") },
        "listEventDeliveries": { _ = try await $0.eventDeliveries().page() },
        "redeliverEvent": { _ = try await $0.redeliverEvent("5") },
        "listSigningKeys": { _ = try await $0.signingKeys(in: "vici").page() },
        "rotateSigningKey": { _ = try await $0.rotateSigningKey(in: "vici") },
    ]

    @Test func `every operation has a method`() {
        #expect(Set(Self.calls.keys) == Set(AdminAPI.operations.map(\.name)))
    }

    @Test(arguments: AdminAPI.operations.indices) func `a method sends its operation, and reads the answer`(
        index: Int
    ) async throws {
        let operation = AdminAPI.operations[index]
        let sample = try Sample(
            operation.hasAnswer ? .blank(operation.answer, operation.status) : .status(operation.status))
        let call = try #require(Self.calls[operation.name])
        try await call(sample.admin)
        let request = try #require(sample.requests.first)
        #expect(sample.requests.count == 1)
        guard
            case .found(let found, let values) = AdminAPI.match(
                method: request.method, path: String(request.path.dropFirst(AdminAPI.basePath.count)))
        else {
            Issue.record("no operation has \(request)")
            return
        }
        #expect(found.name == operation.name && values.allSatisfy { !$0.isEmpty })
        #expect(request.headers["authorization"] == "Bearer \(Sample.key)")
        #expect((request.headers["idempotency-key"] != nil) == (operation.method == .post))
        #expect(request.body.isEmpty == !operation.hasBody)
        if operation.hasBody { _ = try operation.body.check(request.body) }
        #expect(operation.accepts(mediaType: request.headers["content-type"]) == operation.hasBody)
        _ = try operation.query.checkQuery(request.query)
    }

    @Test func `the query, the body and the values of a path arrive as they were given`() async throws {
        let sample = try Sample(.value(AdminPage<AdminAccount>()))
        _ = try await sample.admin.accounts(in: "a b/ü", AdminAccountQuery(text: "jo+&=", isActive: false, limit: 2))
            .page()
        let request = try #require(sample.requests.first)
        #expect(request.path == "/admin/v1/apps/a%20b%2F%C3%BC/accounts")
        #expect(request.query == "q=jo%2B%26%3D&active=false&limit=2")
    }

    @Test(arguments: ["http://admin.example.com", "ftp://admin.example.com", "https://user@admin.example.com", "x"])
    func `a key is sent over TLS or to this machine only`(url: String) throws {
        let url = try #require(URL(string: url))
        #expect(throws: AdminError.self) { try AdminClient(baseURL: url, key: Secret("ostk_a_b")) }
    }

    @Test func `plain HTTP to this machine is accepted`() throws {
        let url = try #require(URL(string: "http://127.0.0.1:3002/"))
        #expect(try AdminClient(baseURL: url, key: Secret("ostk_a_b")).baseURL.text == "http://127.0.0.1:3002")
    }

    @Test(arguments: ["", "ostk_a b", "ostk_a\nb", "östk", String(repeating: "k", count: 513)])
    func `a key that no header carries is refused`(key: String) throws {
        let url = try #require(URL(string: "https://admin.example.com"))
        #expect(throws: AdminError.invalidKey) { try AdminClient(baseURL: url, key: Secret(key)) }
    }

    @Test func `the key is in no text of the client and its errors`() async throws {
        let sample = try Sample(.problem(401, "invalid_key"))
        var dumped = ""
        dump(sample.admin, to: &dumped)
        var texts = [dumped, "\(sample.admin)", String(reflecting: sample.admin)]
        do { try await sample.admin.retryMessage("m1") } catch { texts += ["\(error)", String(reflecting: error)] }
        #expect(texts.count == 5)
        for text in texts { #expect(!text.contains("S3cret")) }
    }

    @Test func `a secret of an answer is not printed`() async throws {
        var endpoint = AdminEventEndpoint()
        endpoint.secret = Secret("whsec_S3cret")
        let sample = try Sample(.value(endpoint, status: 201))
        let created = try await sample.admin.createEventEndpoint(
            AdminEventEndpointCreation(url: "https://x.example", app: "a"))
        #expect(created.secret?.reveal() == "whsec_S3cret")
        #expect(!String(reflecting: created).contains("S3cret"))
    }
}

extension Reaction {
    /// A value without content.
    static func blank(_ type: any AdminValue.Type, _ status: Int) -> Reaction { .value(type.init(), status: status) }
}

extension AdminValue {
    fileprivate static func check(_ body: [UInt8]) throws -> Self { try read(body, as: .request) }
    fileprivate static func checkQuery(_ query: String) throws -> Self { try read(query: query) }
}

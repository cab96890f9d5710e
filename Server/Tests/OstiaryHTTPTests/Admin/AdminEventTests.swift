import OstiaryAdminAPI
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import Testing

/// The endpoints for events over the admin API.
@Suite(.timeLimit(.minutes(5))) struct AdminEventTests {
    private let admin: AdminWorld

    init() async throws { admin = try await AdminWorld() }

    private func create(
        _ fields: String = "", app: String = "clarity", key: String
    ) async throws -> (AdminEventEndpoint, location: String?) {
        let answer = try await admin.ask(
            "POST", "/events/endpoints", key: key,
            body: #"{"app":"\#(app)","url":"https://crm.example.com/"\#(fields)}"#)
        #expect(answer.status == 201)
        return (try answer.read(AdminEventEndpoint.self), answer.headers["location"])
    }

    @Test func `creates an endpoint, whose secret no other answer has`() async throws {
        let key = try await admin.key()
        let (endpoint, location) = try await create(
            #","types":["account.created"],"include":["email"],"contact":"ops@example.com""#, key: key)
        #expect(endpoint.secret?.reveal().utf8.starts(with: "whsec_".utf8) == true)
        #expect(location == "/admin/v1/events/endpoints/\(endpoint.id)")
        let read = try await admin.get("/events/endpoints/\(endpoint.id)", key: key).read(AdminEventEndpoint.self)
        #expect(read.secret == nil && read.types == ["account.created"] && read.contact == "ops@example.com")
        let list = try await admin.get("/events/endpoints?app=clarity", key: key)
            .read(AdminPage<AdminEventEndpoint>.self)
        #expect(list.items == [read])
        let rotated = try await admin.ask("POST", "/events/endpoints/\(endpoint.id)/rotate-secret", key: key)
        #expect(rotated.status == 200)
        #expect(try rotated.read(AdminEventSecret.self).secret != endpoint.secret)
    }

    @Test func `requires the right to read accounts for their fields, also for those that an endpoint has`()
        async throws
    {
        let key = try await admin.key()
        let (endpoint, _) = try await create(#","include":["email"]"#, key: key)
        let limited = try await admin.key(scopes: ["events:read", "events:write"])
        for (method, path, body) in [
            ("POST", "", #"{"app":"clarity","url":"https://crm.example.com/","include":["email"]}"#),
            ("PATCH", "/\(endpoint.id)", #"{"url":"https://evil.example.com/"}"#),
            ("PATCH", "/\(endpoint.id)", #"{"include":["roles"]}"#),
        ] {
            let answer = try await admin.ask(method, "/events/endpoints\(path)", key: limited, body: body)
            #expect(answer.status == 403 && answer.code == "missing_scope")
            #expect(try answer.read(AdminProblemDetails.self).scope == "accounts:read")
        }
        let cleared = try await admin.ask(
            "PATCH", "/events/endpoints/\(endpoint.id)", key: limited,
            body: #"{"include":[],"description":"CRM","state":"disabled"}"#)
        #expect(cleared.status == 200)
        let changed = try cleared.read(AdminEventEndpoint.self)
        #expect(changed.include == [] && changed.description == "CRM" && changed.state == .disabled)
    }

    @Test func `endpoints and deliveries of an app out of reach do not exist`() async throws {
        let (key, other) = (try await admin.key(), try await admin.key(apps: ["vici"]))
        let (endpoint, _) = try await create(key: key)
        let test = try await admin.ask("POST", "/events/endpoints/\(endpoint.id)/test", key: key)
        #expect(test.status == 202)
        let delivery = try test.read(AdminEventDelivery.self)
        #expect(delivery.type == "endpoint.test" && delivery.endpointID == endpoint.id && delivery.account == nil)
        for (method, path) in [
            ("GET", "/events/endpoints/\(endpoint.id)"), ("PATCH", "/events/endpoints/\(endpoint.id)"),
            ("DELETE", "/events/endpoints/\(endpoint.id)"), ("POST", "/events/endpoints/\(endpoint.id)/test"),
            ("POST", "/events/endpoints/\(endpoint.id)/rotate-secret"),
            ("POST", "/events/deliveries/\(delivery.id)/redeliver"), ("GET", "/events/endpoints/nothing"),
        ] {
            let answer = try await admin.ask(method, path, key: other)
            #expect(answer.status == 404 && answer.code == "not_found", "\(method) \(path)")
        }
        #expect(
            try await admin.get("/events/deliveries", key: other).read(AdminPage<AdminEventDelivery>.self).items == [])
        let page = try await admin.get("/events/deliveries?app=clarity&state=pending", key: key)
            .read(AdminPage<AdminEventDelivery>.self)
        #expect(page.items == [delivery])
    }

    @Test func `lists deliveries in pages, and sends one again`() async throws {
        let key = try await admin.key()
        let (endpoint, _) = try await create(key: key)
        for _ in 0..<3 { _ = try await admin.ask("POST", "/events/endpoints/\(endpoint.id)/test", key: key) }
        let first = try await admin.get("/events/deliveries?limit=2", key: key).read(AdminPage<AdminEventDelivery>.self)
        let rest = try await admin.ask(
            "GET", "/events/deliveries?limit=2&cursor=\(try #require(first.nextCursor))", key: key
        ).read(AdminPage<AdminEventDelivery>.self)
        #expect(first.items.count == 2 && rest.items.count == 1 && rest.nextCursor == nil)
        let again = try await admin.ask("POST", "/events/deliveries/\(rest.items[0].id)/redeliver", key: key)
        #expect(again.status == 202)
        #expect(try again.read(AdminEventDelivery.self).eventID == rest.items[0].eventID)
    }

    @Test func `refuses more test events of an endpoint than may be pending`() async throws {
        let key = try await admin.key()
        let (endpoint, _) = try await create(key: key)
        for _ in 0..<EventEndpoint.limitOfPendingTests {
            #expect(try await admin.ask("POST", "/events/endpoints/\(endpoint.id)/test", key: key).status == 202)
        }
        let refused = try await admin.ask("POST", "/events/endpoints/\(endpoint.id)/test", key: key)
        #expect(refused.status == 429 && refused.code == "too_many_requests")
        #expect(refused.headers["retry-after"] == "10")
        let (other, _) = try await create(key: key)
        #expect(try await admin.ask("POST", "/events/endpoints/\(other.id)/test", key: key).status == 202)
    }

    @Test func `refuses what no request is sent to, at its field`() async throws {
        let key = try await admin.key()
        for (fields, pointer, code) in [
            (#""url":"http://crm.example.com/""#, "/url", "https_required"),
            (#""url":"https://10.0.0.1/""#, "/url", "address_refused"),
            (#""url":"https://a.example.com/","types":["none"]"#, "/types/0", "not_supported"),
            (#""url":"https://a.example.com/","contact":"nobody""#, "/contact", "malformed"),
            (#""url":"https://a.example.com/","contact":"a@ｘ.example""#, "/contact", "malformed"),
        ] {
            let answer = try await admin.ask(
                "POST", "/events/endpoints", key: key, body: #"{"app":"clarity",\#(fields)}"#)
            #expect(answer.status == 400)
            #expect(
                try answer.read(AdminProblemDetails.self).errors == [AdminFieldError(pointer: pointer, code: code)])
        }
    }

    @Test func `a refusal has the problems of all fields`() async throws {
        let answer = try await admin.ask(
            "POST", "/events/endpoints", key: admin.key(),
            body: #"{"app":"clarity","url":"http://crm.example.com/","contact":"nobody"}"#)
        #expect(
            try answer.read(AdminProblemDetails.self).errors == [
                AdminFieldError(pointer: "/url", code: "https_required"),
                AdminFieldError(pointer: "/contact", code: "malformed"),
            ])
    }

    @Test func `events name the key that made a change`() async throws {
        let (key, account) = (try await admin.key(), try await admin.account())
        let (endpoint, _) = try await create(#","types":["account.disabled"]"#, key: key)
        #expect(try await admin.ask("POST", "/apps/clarity/accounts/\(account.id)/disable", key: key).status == 204)
        let now = admin.server.system.now()
        let claims = try await admin.server.store.claimEvents(
            at: now, until: now, limit: 9, excluding: [], apps: [])
        #expect(claims.map(\.endpoint.id.text) == [endpoint.id])
        #expect(claims.first?.event.actor?.utf8.starts(with: "key:".utf8) == true)
    }
}

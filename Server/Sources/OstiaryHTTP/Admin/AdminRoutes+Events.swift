import OstiaryAdminAPI
import OstiaryCore
import OstiaryEngine

extension AdminRoutes {
    static let events = [
        AdminRoute(AdminAPI.listEventEndpoints) { request, query, _ in
            let app = try query.app.map { try request.server.app($0).appName }
            return try request.page(
                try await request.server.events.endpoints(of: app).map { AdminEventEndpoint($0) }, query)
        },
        AdminRoute(AdminAPI.createEventEndpoint, location: { $0.id }) { request, _, body in
            try request.requireReading(body.include)
            let app = try request.server.app(body.app).appName
            let (endpoint, secret) = try await request.server.events.create(
                NewEventEndpoint(
                    app: app, url: body.url, types: body.types ?? [], include: body.include ?? [],
                    description: body.description, contact: body.contact))
            return AdminEventEndpoint(endpoint, secret: secret)
        },
        AdminRoute(AdminAPI.getEventEndpoint, exists: requireEndpoint) { request, _, _ in
            AdminEventEndpoint(try await request.server.events.endpoint(request.endpoint))
        },
        AdminRoute(AdminAPI.updateEventEndpoint, exists: requireEndpoint) { request, _, body in
            // Of what the endpoint includes already, too: a new URL would get it.
            let included = try await request.server.events.endpoint(request.endpoint).include.map(\.rawValue)
            try request.requireReading(body.include ?? included)
            return AdminEventEndpoint(
                try await request.server.events.update(request.endpoint, try EventEndpointUpdate(body)))
        },
        AdminRoute(AdminAPI.deleteEventEndpoint, exists: requireEndpoint) { request, _, _ in
            try await request.server.events.delete(request.endpoint)
            return AdminEmpty()
        },
        AdminRoute(AdminAPI.rotateEventSecret, exists: requireEndpoint) { request, _, _ in
            let (secret, end) = try await request.server.events.rotateSecret(of: request.endpoint)
            var answer = AdminEventSecret()
            answer.secret = secret
            answer.previousExpiresAt = end
            return answer
        },
        AdminRoute(AdminAPI.testEventEndpoint, exists: requireEndpoint) { request, _, _ in
            AdminEventDelivery(try await request.server.events.test(request.endpoint))
        },
        AdminRoute(AdminAPI.listEventDeliveries) { request, query, _ in
            let app = try query.app.map { try request.server.app($0).appName }
            let endpoint = try query.endpoint.map { text throws(AdministrationProblem) in
                do { return try EventEndpointID(text) } catch { throw .notFound("no event endpoint") }
            }
            let cursors = request.cursors(query)
            let (page, position) = try await request.server.events.deliveries(
                of: endpoint, app: app, state: query.state.flatMap { EventDelivery.State(rawValue: $0.rawValue) },
                before: try cursors.position(query.cursor).map { try cursors.integer($0) }, limit: query.pageLimit)
            return AdminPage(
                page.map { AdminEventDelivery($0) }, nextCursor: position.map { cursors.cursor(String($0)) })
        },
        AdminRoute(AdminAPI.redeliverEvent, exists: requireDelivery) { request, _, _ in
            AdminEventDelivery(try await request.server.events.redeliver(request.delivery))
        },
    ]

    private static let requireEndpoint: @Sendable (AdminRequest) async throws -> Void = { request in
        _ = try await request.server.events.endpoint(request.endpoint)
    }

    private static let requireDelivery: @Sendable (AdminRequest) async throws -> Void = { request in
        _ = try await request.server.events.delivery(request.delivery)
    }
}

extension AdminRequest {
    fileprivate var endpoint: EventEndpointID {
        get throws { try id("endpoint") { (text) throws(FieldProblem) in try EventEndpointID(text) } }
    }

    fileprivate var delivery: Int {
        get throws {
            try id("delivery") { (text) throws(FieldProblem) in
                // In the one form in which it is written.
                guard let number = Int(text), String(number).utf8.elementsEqual(text.utf8) else { throw .malformed }
                return number
            }
        }
    }

    /// Requires the right to read accounts for an endpoint that gets their fields.
    fileprivate func requireReading(_ include: [String]?) throws(AdminRefusal) {
        guard include?.isEmpty == false, !server.reach.grants(.accountsRead) else { return }
        throw AdminRefusal.missing(.accountsRead)
    }
}

extension EventEndpointUpdate {
    fileprivate init(_ patch: AdminEventEndpointPatch) throws(AdministrationProblem) {
        self.init(url: patch.url, types: patch.types, include: patch.include)
        description = Self.change(patch.description)
        contact = Self.change(patch.contact)
        guard let state = patch.state else { return }
        guard let known = EventEndpoint.State(rawValue: state.rawValue) else {
            throw .invalid("state", "not_supported", "the state is enabled or disabled")
        }
        self.state = known
    }

    private static func change(_ change: AdminChange<String>) -> String?? {
        switch change {
        case .keep: nil
        case .remove: .some(nil)
        case .set(let value): .some(value)
        }
    }
}

extension AdminEventEndpoint {
    init(_ endpoint: EventEndpoint, secret: Secret<String>? = nil) {
        self.init()
        id = endpoint.id.text
        url = endpoint.url
        app = endpoint.app.text
        types = endpoint.types.map(\.rawValue)
        include = endpoint.include.map(\.rawValue)
        description = endpoint.description
        contact = endpoint.contact?.text
        state = AdminEventEndpointState(rawValue: endpoint.state.rawValue)
        createdAt = endpoint.createdAt
        lastSuccessAt = endpoint.lastSuccessAt
        failingSince = endpoint.failingSince
        self.secret = secret
    }
}

extension AdminEventDelivery {
    init(_ delivery: EventDelivery) {
        self.init()
        id = String(delivery.id)
        endpointID = delivery.endpoint.text
        eventID = delivery.eventID
        type = delivery.type
        app = delivery.app.text
        account = delivery.account?.text
        state = AdminEventDeliveryState(rawValue: delivery.state.rawValue)
        attempts = delivery.attempts.map { AdminEventAttempt($0) }
        createdAt = delivery.createdAt
        nextAttemptAt = delivery.nextAttemptAt
        deliveredAt = delivery.deliveredAt
    }
}

extension AdminEventAttempt {
    init(_ attempt: EventDelivery.Attempt) {
        self.init()
        at = attempt.at
        status = attempt.status
        error = attempt.error
        durationMilliseconds = attempt.durationMilliseconds
    }
}

public import Foundation
public import OstiaryCore

/// An administrator's operations on endpoints and deliveries. Every change is first written to the audit log of the endpoint's
/// app, and is not made if that fails.
public struct EventAdministration: Sendable {
    private let store: any Store
    private let keys: KeyRing
    private let system: SystemDependencies
    private let urls: EventURLPolicy
    private let apps: Set<AppName>
    private let actor: AdministrationActor
    private let caller: Caller

    /// Creates the operations of an actor.
    ///
    /// - Parameter apps: The apps that the actor may reach. Endpoints and deliveries of other apps do not exist for it.
    public init(
        store: any Store, keys: KeyRing, system: SystemDependencies, urls: EventURLPolicy, apps: Set<AppName>,
        actor: AdministrationActor, caller: Caller = Caller()
    ) {
        self.store = store
        self.keys = keys
        self.system = system
        self.urls = urls
        self.apps = apps
        self.actor = actor
        self.caller = caller
    }

    private var now: Date { system.now() }

    // MARK: Endpoints

    /// Returns the endpoints of an app, or of all apps that the actor may reach, in order of creation.
    public func endpoints(of app: AppName? = nil) async throws -> [EventEndpoint] {
        try await store.eventEndpoints(of: app).filter { apps.contains($0.app) }
    }

    /// Returns an endpoint.
    ///
    /// - Throws: ``AdministrationProblem`` if there is none of that id.
    public func endpoint(_ id: EventEndpointID) async throws -> EventEndpoint {
        guard let endpoint = try await store.eventEndpoint(id), apps.contains(endpoint.app) else {
            throw Self.unknownEndpoint(id)
        }
        return endpoint
    }

    /// Creates an endpoint.
    ///
    /// - Returns: The endpoint, and the secret that its requests are signed with. The secret is not shown again.
    /// - Throws: ``AdministrationProblem`` if a field is not acceptable, or the app has ``EventEndpoint/limitPerApp``
    ///   endpoints.
    public func create(_ new: NewEventEndpoint) async throws -> (endpoint: EventEndpoint, secret: Secret<String>) {
        guard apps.contains(new.app) else { throw AdministrationProblem.notFound("no app \(new.app)") }
        var problems = FieldProblems()
        let url = problems.collect(try checked(url: new.url)) ?? ""
        let types = problems.collect(try Self.checked(types: new.types)) ?? []
        let include = problems.collect(try Self.checked(include: new.include)) ?? []
        let description = problems.collect(try new.description.map(Self.checked(description:)))
        let contact = problems.collect(try new.contact.map(Self.checked(contact:)))
        try problems.require()
        let endpoint = EventEndpoint(
            id: EventEndpointID(system), app: new.app, url: url, types: types, include: include,
            description: description, contact: contact, createdAt: now.asStored)
        let secret = WebhookSecret(system)
        try await audit("create", endpoint)
        guard try await store.add(endpoint, secret: secret.sealed(for: endpoint.id, with: keys)) else {
            throw AdministrationProblem.conflict(
                "limit_reached", "\(new.app) has \(EventEndpoint.limitPerApp) endpoints; remove one first")
        }
        return (endpoint, secret.text)
    }

    /// Changes an endpoint. Events that are queued already are sent to the new URL.
    ///
    /// - Throws: ``AdministrationProblem`` if there is none of that id, a field is not acceptable, or the settings are not those
    ///   that the change was made from.
    public func update(_ id: EventEndpointID, _ update: EventEndpointUpdate) async throws -> EventEndpoint {
        var previous = try await endpoint(id)
        try update.expected?.require(EntityTag(settingsOf: previous))
        var next = try changed(previous, update)
        try await audit("update", next)
        while true {
            if let replaced = try await store.replace(previous, by: next, state: update.state) { return replaced }
            previous = try await endpoint(id)
            // A write whose answer was lost is repeated, and finds that it was made.
            if !previous.hasSettings(of: next) { try update.expected?.require(EntityTag(settingsOf: previous)) }
            // Another change came first, and is kept.
            next = try changed(previous, update)
        }
    }

    private func changed(
        _ previous: EventEndpoint, _ update: EventEndpointUpdate
    ) throws(AdministrationProblem) -> EventEndpoint {
        var endpoint = previous
        var problems = FieldProblems()
        if let url = update.url, let url = problems.collect(try checked(url: url)) { endpoint.url = url }
        if let types = update.types, let types = problems.collect(try Self.checked(types: types)) {
            endpoint.types = types
        }
        if let include = update.include, let include = problems.collect(try Self.checked(include: include)) {
            endpoint.include = include
        }
        if let description = update.description {
            endpoint.description = problems.collect(try description.map(Self.checked(description:)))
        }
        if let contact = update.contact {
            endpoint.contact = problems.collect(try contact.map(Self.checked(contact:)))
        }
        try problems.require()
        return endpoint
    }

    /// Removes an endpoint. Its deliveries that are pending fail.
    ///
    /// - Throws: ``AdministrationProblem`` if there is none of that id.
    public func delete(_ id: EventEndpointID) async throws {
        let endpoint = try await endpoint(id)
        try await audit("delete", endpoint)
        guard try await store.removeEventEndpoint(id) else { throw Self.unknownEndpoint(id) }
    }

    /// Replaces the secret of an endpoint. For 24 hours its requests have the signatures of both.
    ///
    /// - Returns: The new secret, which is not shown again, and the time from which the old one no longer signs.
    /// - Throws: ``AdministrationProblem`` if there is none of that id.
    public func rotateSecret(
        of id: EventEndpointID
    ) async throws -> (secret: Secret<String>, previousExpiresAt: Date) {
        let endpoint = try await endpoint(id)
        let secret = WebhookSecret(system)
        let end = now.addingTimeInterval(EventEndpointSecrets.rotationSeconds).asStored
        try await audit("rotate-secret", endpoint)
        guard
            try await store.replaceSecret(
                of: id, with: secret.sealed(for: id, with: keys), previousExpiresAt: end)
        else { throw Self.unknownEndpoint(id) }
        return (secret.text, end)
    }

    /// Queues a test event for an endpoint.
    ///
    /// - Throws: ``AdministrationProblem`` if there is none of that id, it is disabled, or it has as many pending test events as it
    ///   may have.
    public func test(_ id: EventEndpointID) async throws -> EventDelivery {
        let endpoint = try await endpoint(id)
        try await audit("test", endpoint)
        return try await queued { try await store.queueTest(of: id, at: now) }
    }

    // MARK: Deliveries

    /// Returns a page of deliveries, the newest first, beginning before `position`.
    ///
    /// - Returns: The deliveries, and the position of the last; the position is `nil` if there are no more.
    public func deliveries(
        of endpoint: EventEndpointID? = nil, app: AppName? = nil, state: EventDelivery.State? = nil,
        before position: Int? = nil, limit: Int
    ) async throws -> (page: [EventDelivery], position: Int?) {
        let limit = max(1, min(limit, 1000))
        let reached = app.map { apps.intersection([$0]) } ?? apps
        let found = try await store.eventDeliveries(
            EventDeliveryFilter(apps: reached, endpoint: endpoint, state: state), before: position, limit: limit + 1)
        let page = found.prefix(limit)
        return (Array(page), found.count > limit ? page.last?.id : nil)
    }

    /// Returns a delivery.
    ///
    /// - Throws: ``AdministrationProblem`` if there is none of that id.
    public func delivery(_ id: Int) async throws -> EventDelivery {
        guard let delivery = try await store.eventDelivery(id), apps.contains(delivery.app) else {
            throw AdministrationProblem.notFound("no delivery \(id)")
        }
        return delivery
    }

    /// Sends the event of a delivery once more, in no order with other events.
    ///
    /// - Returns: The new delivery.
    /// - Throws: ``AdministrationProblem`` if there is none of that id, or its endpoint is disabled; for a test event also if the
    ///   endpoint has as many pending ones as it may have.
    public func redeliver(_ id: Int) async throws -> EventDelivery {
        let delivery = try await delivery(id)
        try await audit(
            "redeliver", delivery.app, delivery.account,
            details: ["endpoint": delivery.endpoint.text, "delivery": "\(delivery.id)"])
        return try await queued { try await store.redeliver(id, at: now) }
    }

    // MARK: Implementation

    /// The delay after which another test event may be accepted, in seconds: the time limit of a request.
    private static let testRetrySeconds = 10

    /// Returns the delivery that the store queued.
    private func queued(_ queue: () async throws -> EventDelivery?) async throws -> EventDelivery {
        do {
            guard let delivery = try await queue() else { throw Self.disabledEndpoint }
            return delivery
        } catch is TooManyPendingTests {
            throw AdministrationProblem.busy(retryAfterSeconds: Self.testRetrySeconds)
        }
    }

    /// Writes what is done to an endpoint, with the host that its events are sent to. A path may have secrets.
    private func audit(_ action: String, _ endpoint: EventEndpoint) async throws {
        try await audit(
            action, endpoint.app,
            details: ["endpoint": endpoint.id.text, "host": URLComponents(string: endpoint.url)?.host ?? ""])
    }

    private func audit(
        _ action: String, _ app: AppName, _ account: AccountID? = nil, details: [String: String]
    ) async throws {
        try await store.append(
            AuditEvent(
                at: now, app: app, action: "\(actor.actionPrefix).events.\(action)", outcome: "ok", account: account,
                address: caller.address, userAgent: caller.userAgent, actor: actor.text, details: details))
    }

    private func checked(url: String) throws(AdministrationProblem) -> String {
        do { try urls.check(url) } catch {
            let need =
                switch error {
                case .malformed: "is no URL"
                case .insecure: "needs https (plain http is for this machine, in development)"
                case .address: "is on a private network; events.allow_private in the configuration allows it"
                }
            throw .invalid("url", error.rawValue, "the URL \(need)")
        }
        return url
    }

    private static func checked(types: [String]) throws(AdministrationProblem) -> [EventType] {
        var checked: [EventType] = []
        for (index, text) in types.prefix(EventType.allCases.count + 1).enumerated() {
            guard let type = EventType(rawValue: text), type != .test, !checked.contains(type) else {
                throw .invalid("types/\(index)", "not_supported", "the type of an event is unknown or repeated")
            }
            checked.append(type)
        }
        return checked
    }

    private static func checked(include: [String]) throws(AdministrationProblem) -> [EventField] {
        var checked: [EventField] = []
        for (index, text) in include.prefix(EventField.allCases.count + 1).enumerated() {
            guard let field = EventField(rawValue: text), !checked.contains(field) else {
                throw .invalid("include/\(index)", "not_supported", "the included field is unknown or repeated")
            }
            checked.append(field)
        }
        return checked
    }

    private static func checked(description: String) throws(AdministrationProblem) -> String {
        guard description.utf8.count <= 500 else {
            throw .invalid("description", "too_long", "the description has more than 500 bytes")
        }
        guard !description.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .invalid("description", "malformed", "the description has control characters")
        }
        return description
    }

    private static func checked(contact: String) throws(AdministrationProblem) -> EmailAddress {
        do throws(FieldProblem) {
            let address = try EmailAddress(contact)
            guard address.isFit else { throw FieldProblem.malformed }
            return address
        } catch {
            throw .invalid("contact", error.code, "the contact is no email address")
        }
    }

    private static func unknownEndpoint(_ id: EventEndpointID) -> AdministrationProblem {
        .notFound("no event endpoint \(id)")
    }

    private static var disabledEndpoint: AdministrationProblem {
        .conflict("endpoint_disabled", "the endpoint is disabled")
    }
}

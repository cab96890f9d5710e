public import Foundation

extension MemoryStore {
    /// Adds an endpoint; returns `false` if its app has too many.
    public func add(_ endpoint: EventEndpoint, secret: [UInt8]) -> Bool {
        transaction { tables in
            let count = tables.eventTables.endpoints.count { $0.endpoint.app == endpoint.app }
            guard count < EventEndpoint.limitPerApp else { return false }
            tables.eventTables.endpoints.append(
                EventTables.EndpointRow(endpoint: endpoint, secrets: EventEndpointSecrets(current: secret)))
            return true
        }
    }

    /// Returns the endpoints of an app, or of every app, in order of creation.
    public func eventEndpoints(of app: AppName?) -> [EventEndpoint] {
        transaction {
            $0.eventTables.endpoints.map(\.endpoint).filter { endpoint in app.map { $0 == endpoint.app } ?? true }
        }
    }

    /// Returns the endpoint with that id; `nil` if there is none.
    public func eventEndpoint(_ id: EventEndpointID) -> EventEndpoint? {
        transaction { $0.eventTables.endpoints.first { $0.endpoint.id == id }?.endpoint }
    }

    /// Replaces the settings of an endpoint; returns `nil` if there is none.
    public func replace(
        _ previous: EventEndpoint, by endpoint: EventEndpoint, state: EventEndpoint.State?
    ) -> EventEndpoint? {
        transaction { tables in
            guard let index = tables.eventTables.index(of: endpoint.id) else { return nil }
            var kept = tables.eventTables.endpoints[index].endpoint
            guard kept.hasSettings(of: previous) else { return nil }
            (kept.url, kept.types, kept.include) = (endpoint.url, endpoint.types, endpoint.include)
            (kept.description, kept.contact) = (endpoint.description, endpoint.contact)
            if let state { kept.state = state }
            if state == .enabled { kept.failingSince = nil }
            tables.eventTables.endpoints[index].endpoint = kept
            return kept
        }
    }

    /// Replaces the secret of an endpoint; returns `false` if there is none.
    public func replaceSecret(of id: EventEndpointID, with secret: [UInt8], previousExpiresAt: Date) -> Bool {
        transaction { tables in
            guard let index = tables.eventTables.index(of: id) else { return false }
            let old = tables.eventTables.endpoints[index].secrets.current
            tables.eventTables.endpoints[index].secrets = EventEndpointSecrets(
                current: secret, previous: old, previousExpiresAt: previousExpiresAt.asStored)
            return true
        }
    }

    /// Removes an endpoint; returns `false` if there is none.
    public func removeEventEndpoint(_ id: EventEndpointID) -> Bool {
        transaction { tables in
            guard let index = tables.eventTables.index(of: id) else { return false }
            tables.eventTables.endpoints.remove(at: index)
            return true
        }
    }

    /// Queues a test event for one endpoint; returns `nil` if there is no enabled one.
    ///
    /// - Throws: ``TooManyPendingTests`` if ``EventEndpoint/limitOfPendingTests`` test events of the endpoint are pending.
    public func queueTest(of id: EventEndpointID, at now: Date) throws -> EventDelivery? {
        let event = EventTables.newID(system)
        return try transaction { tables throws in
            guard let index = tables.eventTables.index(of: id),
                case let endpoint = tables.eventTables.endpoints[index].endpoint,
                endpoint.state == .enabled
            else { return nil }
            try tables.eventTables.requireTestCapacity(of: id)
            return tables.eventTables.queue(
                AccountEvent(
                    id: event, type: EventType.test.rawValue, app: endpoint.app, account: nil,
                    actor: ChangeActor.current, at: now.asStored), for: id, orderKey: nil)
        }
    }

    /// Returns a page of deliveries, the newest first.
    public func eventDeliveries(
        _ filter: EventDeliveryFilter, before position: Int?, limit: Int
    ) -> [EventDelivery] {
        transaction { tables in
            let found = tables.eventTables.deliveries.reversed().lazy.map(\.shown).filter { delivery in
                delivery.id < position ?? .max && filter.apps.contains(delivery.app)
                    && filter.endpoint.map { $0 == delivery.endpoint } ?? true
                    && filter.state.map { $0 == delivery.state } ?? true
            }
            return Array(found.prefix(max(0, limit)))
        }
    }

    /// Returns a delivery; `nil` if there is none.
    public func eventDelivery(_ id: Int) -> EventDelivery? {
        transaction { tables in tables.eventTables.deliveryIndex(id).map { tables.eventTables.deliveries[$0].shown } }
    }

    /// Queues the event of a delivery once more; returns `nil` if there is no such delivery, or no enabled endpoint.
    ///
    /// - Throws: ``TooManyPendingTests`` for a test event, as for a new one.
    public func redeliver(_ id: Int, at now: Date) throws -> EventDelivery? {
        try transaction { tables throws in
            guard let index = tables.eventTables.deliveryIndex(id),
                case let old = tables.eventTables.deliveries[index].delivery,
                var event = tables.eventTables.events[old.eventID],
                let endpoint = tables.eventTables.index(of: old.endpoint),
                tables.eventTables.endpoints[endpoint].endpoint.state == .enabled
            else { return nil }
            if event.type == EventType.test.rawValue { try tables.eventTables.requireTestCapacity(of: old.endpoint) }
            let recorded = event.at
            event.at = now.asStored
            let delivery = tables.eventTables.queue(event, for: old.endpoint, orderKey: nil)
            tables.eventTables.events[event.id]?.at = recorded
            return delivery
        }
    }

    /// Claims at most `limit` deliveries that are due until `claimedUntil`, the oldest first.
    public func claimEvents(
        at now: Date, until claimedUntil: Date, limit: Int, excluding full: Set<EventEndpointID>,
        apps fullApps: Set<AppName>
    ) -> [ClaimedDelivery] {
        transaction { tables in
            var claimed: [ClaimedDelivery] = []
            for index in tables.eventTables.deliveries.indices where claimed.count < limit {
                let row = tables.eventTables.deliveries[index]
                guard row.delivery.state == .pending, row.dueAt <= now.asStored,
                    !full.contains(row.delivery.endpoint), !fullApps.contains(row.delivery.app)
                else { continue }
                guard let place = tables.eventTables.index(of: row.delivery.endpoint),
                    case let endpoint = tables.eventTables.endpoints[place], endpoint.endpoint.state == .enabled,
                    let event = tables.eventTables.events[row.delivery.eventID]
                else {
                    tables.eventTables.deliveries[index].delivery.state = .failed
                    tables.eventTables.deliveries[index].finishedAt = now.asStored
                    continue
                }
                let isBlocked = tables.eventTables.deliveries[..<index].contains { earlier in
                    earlier.delivery.state == .pending && earlier.orderKey != nil && earlier.orderKey == row.orderKey
                        && earlier.delivery.endpoint == row.delivery.endpoint
                }
                guard !isBlocked else { continue }
                tables.eventTables.deliveries[index].dueAt = claimedUntil.asStored
                claimed.append(
                    ClaimedDelivery(
                        delivery: row.delivery, event: event, endpoint: endpoint.endpoint, secrets: endpoint.secrets))
            }
            return claimed
        }
    }

    /// Records the attempts of a claimed delivery, and what follows from the last one.
    public func finish(
        _ delivery: EventDelivery, attempts: [EventDelivery.Attempt], _ outcome: EventAttemptOutcome, at now: Date
    ) {
        transaction { tables in
            guard let index = tables.eventTables.deliveryIndex(delivery.id),
                tables.eventTables.deliveries[index].delivery.state == .pending
            else { return }
            var row = tables.eventTables.deliveries[index]
            row.delivery.attempts = attempts
            switch outcome {
            case .delivered:
                (row.delivery.state, row.delivery.deliveredAt, row.finishedAt) = (
                    .delivered, now.asStored, now.asStored
                )
            case .retry(let next): row.dueAt = next.asStored
            case .failed: (row.delivery.state, row.finishedAt) = (.failed, now.asStored)
            }
            tables.eventTables.deliveries[index] = row
            tables.eventTables.noteHealth(of: delivery.endpoint, outcome, at: now.asStored)
        }
    }

    /// Makes a claimed delivery due at once.
    public func release(_ delivery: EventDelivery) {
        transaction { tables in
            guard let index = tables.eventTables.deliveryIndex(delivery.id) else { return }
            tables.eventTables.deliveries[index].dueAt = .distantPast
        }
    }

    /// Disables an endpoint and queues the message to its contact, if the message's counters allow it.
    ///
    /// - Throws: ``DuplicateKey`` if the message's id is in use.
    public func disable(
        _ id: EventEndpointID, failingSince: Date?, notice: CountedMessage?, at now: Date
    ) throws -> EventEndpointDisabling {
        try transaction { tables throws in
            guard let index = tables.eventTables.index(of: id),
                case let endpoint = tables.eventTables.endpoints[index].endpoint, endpoint.state == .enabled,
                failingSince.map({ since in endpoint.failingSince.map { $0 <= since.asStored } ?? false }) ?? true
            else { return .unchanged }
            if let notice { try tables.checkNew(notice.message) }
            tables.eventTables.endpoints[index].endpoint.state = .disabled
            guard let notice else { return .disabled(refusal: nil) }
            let verdict = tables.verdict(on: notice.buckets, at: now)
            if verdict.refusal == nil {
                tables.note(verdict.records)
                tables.enqueue(notice.message)
            }
            return .disabled(refusal: verdict.refusal)
        }
    }
}

extension EventTables {
    fileprivate func requireTestCapacity(of id: EventEndpointID) throws {
        let pending = deliveries.count { row in
            row.delivery.endpoint == id && row.delivery.state == .pending
                && row.delivery.type == EventType.test.rawValue
        }
        guard pending < EventEndpoint.limitOfPendingTests else { throw TooManyPendingTests() }
    }

    fileprivate mutating func noteHealth(of id: EventEndpointID, _ outcome: EventAttemptOutcome, at now: Date) {
        guard let index = index(of: id) else { return }
        if outcome == .delivered {
            endpoints[index].endpoint.lastSuccessAt = now
            endpoints[index].endpoint.failingSince = nil
        } else if endpoints[index].endpoint.failingSince == nil {
            endpoints[index].endpoint.failingSince = now
        }
    }
}

extension EventTables.DeliveryRow {
    /// The delivery with the time of its next attempt.
    fileprivate var shown: EventDelivery {
        var delivery = delivery
        if delivery.state == .pending, dueAt > .distantPast { delivery.nextAttemptAt = dueAt }
        return delivery
    }
}

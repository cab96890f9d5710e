public import Foundation
public import OstiaryCore
public import OstiaryEngine

// MARK: Messages, logs, keys

extension ForwardingStore {
    public func enqueue(
        _ message: QueuedMessage, within buckets: [AttemptBucket], keeping secret: PendingSecret?, at now: Date
    ) async throws -> AttemptRefusal? {
        try await base.enqueue(message, within: buckets, keeping: secret, at: now)
    }

    public func claim(at now: Date, until claimedUntil: Date, limit: Int) async throws -> [QueuedMessage] {
        try await base.claim(at: now, until: claimedUntil, limit: limit)
    }

    public func remove(_ id: String) async throws {
        try await base.remove(id)
    }

    public func settle(_ record: MessageRecord) async throws { try await base.settle(record) }

    public func postpone(_ id: String, until: Date, error: String?) async throws {
        try await base.postpone(id, until: until, error: error)
    }

    public func waitingMessages(
        in apps: [AppName], after position: MessagePosition?, limit: Int
    ) async throws -> [WaitingMessage] {
        try await base.waitingMessages(in: apps, after: position, limit: limit)
    }

    public func waitingMessage(_ id: String) async throws -> WaitingMessage? { try await base.waitingMessage(id) }

    public func messageRecords(
        in apps: [AppName], outcome: MessageOutcome?, after position: MessagePosition?, limit: Int
    ) async throws -> [MessageRecord] {
        try await base.messageRecords(in: apps, outcome: outcome, after: position, limit: limit)
    }

    public func messageRecords(
        to recipients: [[UInt8]], in app: AppName, after position: MessagePosition?, limit: Int
    ) async throws -> [MessageRecord] {
        try await base.messageRecords(to: recipients, in: app, after: position, limit: limit)
    }

    public func messageRecord(_ id: String) async throws -> MessageRecord? { try await base.messageRecord(id) }

    public func requeue(_ id: String, at now: Date) async throws -> MessageRequeue {
        try await base.requeue(id, at: now)
    }

    public func count() async throws -> Int { try await base.count() }

    public func append(_ event: AuditEvent) async throws { try await base.append(event) }

    public func events(
        in app: AppName?, since: Date?, after position: Int?, limit: Int
    ) async throws -> [(position: Int, event: AuditEvent)] {
        try await base.events(in: app, since: since, after: position, limit: limit)
    }

    public func events(
        _ query: AuditQuery, after position: AuditPosition?, limit: Int
    ) async throws -> (page: [RecordedEvent], position: AuditPosition?) {
        try await base.events(query, after: position, limit: limit)
    }

    public func signingKeys(of app: AppName, at now: Date) async throws -> [StoredSigningKey] {
        try await base.signingKeys(of: app, at: now)
    }

    public func add(
        _ key: StoredSigningKey, retiringOthersAt: Date, onlyIf condition: SigningKeyCondition
    ) async throws -> Bool {
        try await base.add(key, retiringOthersAt: retiringOthersAt, onlyIf: condition)
    }

    public func statisticsPosition() async throws -> Int { try await base.statisticsPosition() }

    public func add(_ counts: [HourlyCount], movingPositionFrom old: Int, to new: Int) async throws -> Bool {
        try await base.add(counts, movingPositionFrom: old, to: new)
    }

    public func counts(
        of app: AppName, from start: Date, to end: Date, by interval: StatisticsInterval
    ) async throws -> [HourlyCount] {
        try await base.counts(of: app, from: start, to: end, by: interval)
    }

    public func activeAccounts(
        of app: AppName, in period: ActivityPeriod, beginningOn days: ClosedRange<CalendarDay>
    ) async throws -> [CalendarDay: Int] {
        try await base.activeAccounts(of: app, in: period, beginningOn: days)
    }
}

// MARK: Directory of accounts

extension ForwardingStore {
    public func details(of id: AccountID, in app: AppName) async throws -> AccountDetails? {
        try await base.details(of: id, in: app)
    }

    public func accounts(
        from source: AccountSource, in app: AppName, after position: AccountPosition?, limit: Int
    ) async throws -> [ListedAccount] {
        try await base.accounts(from: source, in: app, after: position, limit: limit)
    }

    public func sessionHistory(
        of account: AccountID, in app: AppName, after position: Int?, limit: Int
    ) async throws -> [(position: Int, session: Session)] {
        try await base.sessionHistory(of: account, in: app, after: position, limit: limit)
    }
}

// MARK: The admin API

extension ForwardingStore {
    public func add(_ key: AppKey) async throws { try await base.add(key) }

    public func appKey(_ id: [UInt8], in app: AppName) async throws -> AppKey? { try await base.appKey(id, in: app) }

    public func recordUse(
        ofAppKey id: [UInt8], in app: AppName, counter: UInt32, keptUntil: Date
    ) async throws -> Bool {
        try await base.recordUse(ofAppKey: id, in: app, counter: counter, keptUntil: keptUntil)
    }

    public func appKey(of session: SessionID, in app: AppName) async throws -> [UInt8]? {
        try await base.appKey(of: session, in: app)
    }

    public func bind(_ session: SessionID, toAppKey id: [UInt8], in app: AppName) async throws -> [UInt8]? {
        try await base.bind(session, toAppKey: id, in: app)
    }

    public func add(_ key: ServiceKey) async throws { try await base.add(key) }

    public func serviceKey(_ id: ServiceKeyID) async throws -> ServiceKey? { try await base.serviceKey(id) }

    public func serviceKeys(after position: Int?, limit: Int) async throws -> (page: [ServiceKey], position: Int?) {
        try await base.serviceKeys(after: position, limit: limit)
    }

    public func revokeServiceKey(_ id: ServiceKeyID, at now: Date) async throws -> ServiceKey? {
        try await base.revokeServiceKey(id, at: now)
    }

    public func noteUse(of id: ServiceKeyID, at now: Date) async throws { try await base.noteUse(of: id, at: now) }

    public func claim(_ request: IdempotentRequest, at now: Date) async throws -> IdempotencyClaim {
        try await base.claim(request, at: now)
    }

    public func complete(_ request: IdempotentRequest, with sealed: [UInt8]) async throws {
        try await base.complete(request, with: sealed)
    }

    public func release(_ request: IdempotentRequest) async throws { try await base.release(request) }
}

// MARK: Roles

extension ForwardingStore {
    public func roles(in app: AppName, after name: String?, limit: Int) async throws -> [StoredRole] {
        try await base.roles(in: app, after: name, limit: limit)
    }

    public func roles(named names: [String], in app: AppName) async throws -> [StoredRole] {
        try await base.roles(named: names, in: app)
    }

    public func add(_ role: StoredRole, limit: Int) async throws -> RoleAddition {
        try await base.add(role, limit: limit)
    }

    public func replace(_ role: StoredRole, from previous: StoredRole?) async throws -> Bool {
        try await base.replace(role, from: previous)
    }

    public func removeRole(_ name: String, in app: AppName) async throws -> Bool {
        try await base.removeRole(name, in: app)
    }
}

// MARK: Events

extension ForwardingStore {
    public func add(_ endpoint: EventEndpoint, secret: [UInt8]) async throws -> Bool {
        try await base.add(endpoint, secret: secret)
    }

    public func eventEndpoints(of app: AppName?) async throws -> [EventEndpoint] {
        try await base.eventEndpoints(of: app)
    }

    public func eventEndpoint(_ id: EventEndpointID) async throws -> EventEndpoint? { try await base.eventEndpoint(id) }

    public func replace(
        _ previous: EventEndpoint, by endpoint: EventEndpoint, state: EventEndpoint.State?
    ) async throws -> EventEndpoint? {
        try await base.replace(previous, by: endpoint, state: state)
    }

    public func replaceSecret(
        of id: EventEndpointID, with secret: [UInt8], previousExpiresAt: Date
    ) async throws -> Bool {
        try await base.replaceSecret(of: id, with: secret, previousExpiresAt: previousExpiresAt)
    }

    public func removeEventEndpoint(_ id: EventEndpointID) async throws -> Bool {
        try await base.removeEventEndpoint(id)
    }

    public func queueTest(of id: EventEndpointID, at now: Date) async throws -> EventDelivery? {
        try await base.queueTest(of: id, at: now)
    }

    public func eventDeliveries(
        _ filter: EventDeliveryFilter, before position: Int?, limit: Int
    ) async throws -> [EventDelivery] {
        try await base.eventDeliveries(filter, before: position, limit: limit)
    }

    public func eventDelivery(_ id: Int) async throws -> EventDelivery? { try await base.eventDelivery(id) }

    public func redeliver(_ id: Int, at now: Date) async throws -> EventDelivery? {
        try await base.redeliver(id, at: now)
    }

    public func claimEvents(
        at now: Date, until claimedUntil: Date, limit: Int, excluding full: Set<EventEndpointID>,
        apps fullApps: Set<AppName>
    ) async throws -> [ClaimedDelivery] {
        try await base.claimEvents(at: now, until: claimedUntil, limit: limit, excluding: full, apps: fullApps)
    }

    public func finish(
        _ delivery: EventDelivery, attempts: [EventDelivery.Attempt], _ outcome: EventAttemptOutcome, at now: Date
    ) async throws {
        try await base.finish(delivery, attempts: attempts, outcome, at: now)
    }

    public func release(_ delivery: EventDelivery) async throws { try await base.release(delivery) }

    public func disable(
        _ id: EventEndpointID, failingSince: Date?, notice: CountedMessage?, at now: Date
    ) async throws -> EventEndpointDisabling {
        try await base.disable(id, failingSince: failingSince, notice: notice, at: now)
    }
}

import Foundation
import OstiaryCore

/// The endpoints, and the events that are sent to them.
struct EventTables: Sendable {
    struct EndpointRow: Sendable {
        var endpoint: EventEndpoint
        var secrets: EventEndpointSecrets
    }

    struct DeliveryRow: Sendable {
        var delivery: EventDelivery
        /// The account whose deliveries are in order; nil for a delivery in no order with others.
        var orderKey: AccountID?
        var dueAt: Date
        var finishedAt: Date?
    }

    /// The endpoints in order of creation.
    var endpoints: [EndpointRow] = []
    var events: [String: AccountEvent] = [:]
    /// The deliveries in order of their ids.
    var deliveries: [DeliveryRow] = []
    var lastDelivery = 0

    func index(of id: EventEndpointID) -> Int? { endpoints.firstIndex { $0.endpoint.id == id } }
    func deliveryIndex(_ id: Int) -> Int? { deliveries.firstIndex { $0.delivery.id == id } }

    /// Queues an event for every endpoint that receives it.
    mutating func record(_ event: AccountEvent) {
        guard let type = EventType(rawValue: event.type) else { return }
        for row in endpoints where row.endpoint.receives(type, of: event.app) {
            queue(event, for: row.endpoint.id, orderKey: event.account)
        }
    }

    @discardableResult
    mutating func queue(_ event: AccountEvent, for endpoint: EventEndpointID, orderKey: AccountID?) -> EventDelivery {
        lastDelivery += 1
        events[event.id] = event
        let delivery = EventDelivery(
            id: lastDelivery, endpoint: endpoint, eventID: event.id, type: event.type, app: event.app,
            account: event.account, state: .pending, createdAt: event.at)
        deliveries.append(DeliveryRow(delivery: delivery, orderKey: orderKey, dueAt: .distantPast))
        return delivery
    }

    /// Deletes deliveries that were finished before `horizon`, and events without deliveries.
    mutating func sweep(finishedBefore horizon: Date) {
        deliveries.removeAll { $0.finishedAt.map { $0 < horizon } ?? false }
        let left = Set(deliveries.map(\.delivery.eventID))
        events = events.filter { left.contains($0.key) }
    }
}

/// The events of a transaction, found by comparing the tables before and after it: as with the triggers of the databases, no
/// way of changing an account can omit its event.
extension MemoryTables {
    mutating func recordEvents(since before: MemoryTables, actor: String?, system: SystemDependencies) {
        let now = system.now().asStored
        var found: [AccountEvent] = []
        func add(_ type: EventType, _ account: Account, _ session: SessionID?, _ details: EventDetails) {
            found.append(
                AccountEvent(
                    id: EventTables.newID(system), type: type.rawValue, app: account.app, account: account.id,
                    session: session, actor: actor, at: now, snapshot: EventSnapshot(account), details: details))
        }
        for app in Set(eventTables.endpoints.map(\.endpoint.app)) {
            let (old, new) = (before.apps[app]?.rows ?? [:], apps[app]?.rows ?? [:])
            for row in new.values.sorted(by: { $0.number < $1.number }) {
                AccountTable.Row.changes(from: old[row.account.id], to: row) { add($0, row.account, nil, $1) }
            }
            for row in old.values where new[row.account.id] == nil {
                add(.accountDeleted, row.account, nil, EventDetails())
            }
        }
        for row in sessions.values.sorted(by: { $0.number < $1.number }) {
            guard let account = apps[row.session.app]?.rows[row.session.accountID]?.account else { continue }
            if before.sessions[row.session.id] == nil {
                add(.sessionCreated, account, row.session.id, EventDetails())
            } else if let end = row.session.revocation, before.sessions[row.session.id]?.session.revocation == nil,
                row.session.idleEndsAt > end.at
            {
                add(.sessionRevoked, account, row.session.id, EventDetails(reason: end.reason.rawValue))
            }
        }
        for (key, token) in resetTokens where before.resetTokens[key]?.hash != token.hash {
            if let account = token.account.flatMap({ apps[key.app]?.rows[$0]?.account }) {
                add(.passwordResetRequested, account, nil, EventDetails())
            }
        }
        for event in found { eventTables.record(event) }
    }
}

extension EventTables {
    static func newID(_ system: SystemDependencies) -> String {
        system.randomBytes(16).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
    }
}

extension AccountTable.Row {
    /// Reports the events of a change of an account's row.
    fileprivate static func changes(
        from old: AccountTable.Row?, to new: AccountTable.Row, _ report: (EventType, EventDetails) -> Void
    ) {
        let account = new.account
        if let before = old?.account {
            let changed = account.changedFields(since: before)
            if !changed.isEmpty { report(.accountUpdated, EventDetails(changed: changed)) }
            if before.isActive != account.isActive {
                report(account.isActive ? .accountEnabled : .accountDisabled, EventDetails())
            }
            if before.passwordHash != account.passwordHash, before.credentialVersion != account.credentialVersion {
                report(.passwordChanged, EventDetails())
            }
            if before.providerSubject != account.providerSubject {
                if before.providerSubject != nil {
                    report(.identityUnlinked, EventDetails(provider: before.provider))
                }
                if account.providerSubject != nil { report(.identityLinked, EventDetails(provider: account.provider)) }
            }
        } else {
            report(.accountCreated, EventDetails(provider: account.provider))
        }
        let (before, after) = (old?.factors ?? [], new.factors)
        for factor in before where !after.contains(where: { $0.id == factor.id }) {
            report(.factorRemoved, EventDetails(factor: .init(factor)))
        }
        for factor in after where !before.contains(where: { $0.id == factor.id }) {
            report(.factorAdded, EventDetails(factor: .init(factor)))
        }
    }
}

extension Account {
    /// The names of the fields that ``EventType/accountUpdated`` reports.
    fileprivate func changedFields(since before: Account) -> [String] {
        func text(_ one: String?, _ other: String?) -> Bool {
            one.map { Array($0.utf8) } != other.map { Array($0.utf8) }
        }
        let fields: [(name: String, isChanged: Bool)] = [
            ("email", text(email?.text, before.email?.text)),
            ("email_verified", isEmailVerified != before.isEmailVerified),
            ("username", text(username?.text, before.username?.text)),
            ("phone_number", phoneNumber != before.phoneNumber),
            ("phone_number_verified", isPhoneNumberVerified != before.isPhoneNumberVerified),
            ("attributes", attributes != before.attributes),
            ("full_name", text(fullName?.text, before.fullName?.text)), ("roles", assignments != before.assignments),
        ]
        return fields.filter(\.isChanged).map(\.name)
    }
}

extension EventDetails.Factor {
    fileprivate init(_ factor: OstiaryEngine.Factor) { self.init(id: factor.id.text, type: factor.kind.rawValue) }
}

public import Foundation
import OstiaryCore

extension MemoryStore {
    /// Deletes expired records, old audit events and old statistics; returns the number of rows deleted.
    public func sweep(at now: Date, endedBefore horizon: Date, auditBefore auditHorizon: Date) -> Int {
        transaction { $0.sweep(at: now.asStored, endedBefore: horizon.asStored, auditBefore: auditHorizon.asStored) }
    }

    /// Never throws: memory can always be read.
    public func checkReadiness() {}
}

extension MemoryTables {
    fileprivate mutating func sweep(at now: Date, endedBefore horizon: Date, auditBefore auditHorizon: Date) -> Int {
        let before = count
        codes = codes.filter { $0.value.expiresAt > now }
        resetTokens = resetTokens.filter { $0.value.expiresAt > now }
        let usedBefore = now.addingTimeInterval(-Double(SingleUseRecord.keptSeconds))
        singleUseRecords = singleUseRecords.filter { $0.value.record.expiresAt > usedBefore }
        idempotentRequests = idempotentRequests.filter { $0.value.request.expiresAt > now }
        appKeys = appKeys.mapValues { $0.filter { $0.value.keptUntil > now } }.filter { !$0.value.isEmpty }
        attempts = attempts.filter { $0.value.fullAt > now }
        knownNetworks = knownNetworks.mapValues { $0.filter { $0.value > now } }.filter { !$0.value.isEmpty }
        for (app, accounts) in apps {
            for id in accounts.rows.keys { apps[app]?.rows[id]?.devices.removeAll { $0.expiresAt <= now } }
        }
        for (id, row) in sessions where row.session.hasEnded(before: horizon) {
            sessions[id] = nil
            apps[row.session.app]?.rows[row.session.accountID]?.sessions.removeAll { $0 == id }
        }
        sweepSignInHistories(at: now)
        events.removeAll { $0.event.at < auditHorizon }
        sweepMessageRecords(at: now)
        statistics = statistics.filter { $0.key.start >= auditHorizon }
        activeAccounts = activeAccounts.filter { $0.key.start >= CalendarDay(containing: auditHorizon) }
        eventTables.sweep(finishedBefore: now.addingTimeInterval(-EventDelivery.retentionSeconds))
        return before - count
    }

    private mutating func sweepSignInHistories(at now: Date) {
        for (app, table) in apps {
            for (id, row) in table.rows where row.signInHistory.map({ $0.expiresAt <= now }) ?? false {
                apps[app]?.rows[id]?.signInHistory = nil
            }
        }
        // Details of an assessment are kept as long as the histories.
        let horizon = now.addingTimeInterval(-SignInHistory.retentionSeconds)
        for (index, entry) in events.enumerated() where entry.event.at < horizon && entry.event.isAssessed {
            events[index].event.removeDetails()
        }
    }

    /// The number of rows of every table that is swept.
    private var count: Int {
        codes.count + resetTokens.count + singleUseRecords.count + idempotentRequests.count + attempts.count
            + knownNetworks.values.reduce(0) { $0 + $1.count } + sessions.count + events.count
            + messageRecords.count + appKeys.values.reduce(0) { $0 + $1.count }
            + eventTables.deliveries.count
            + apps.values.reduce(0) { $0 + $1.rows.values.reduce(0) { $0 + $1.devices.count } }
            + apps.values.reduce(0) { $0 + $1.rows.values.count { $0.signInHistory != nil } }
    }
}

extension Session {
    fileprivate func hasEnded(before horizon: Date) -> Bool {
        idleEndsAt < horizon || revocation.map { $0.at < horizon } ?? false
    }
}

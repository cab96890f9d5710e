public import Foundation
public import OstiaryCore

extension MemoryStore {
    /// Adds a ticket.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent`` if there is one of the same app, kind and hash that has not expired.
    public func add(_ ticket: Ticket) throws {
        let now = surroundings.now()
        try transaction { tables throws in
            try tables.checkNew(ticket, at: now)
            tables.keep(ticket)
        }
    }

    /// Counts a ticket against every bucket and adds it, or none of it if a bucket refuses.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent``, as without buckets.
    public func add(_ ticket: Ticket, within buckets: [AttemptBucket], at now: Date) throws -> AttemptRefusal? {
        try transaction { tables throws in
            let verdict = tables.verdict(on: buckets, at: now)
            if let refusal = verdict.refusal { return refusal }
            try tables.checkNew(ticket, at: now)
            tables.note(verdict.records)
            tables.keep(ticket)
            return nil
        }
    }

    /// Returns an unspent ticket that is live at `now`; `nil` if there is none.
    public func ticket(_ kind: Ticket.Kind, _ hash: [UInt8], in app: AppName, at now: Date) -> Ticket? {
        transaction { tables in
            guard let row = tables.tickets[TicketKey(app: app, kind: kind, hash: hash)], !row.isSpent,
                row.ticket.expiresAt > now.asStored
            else { return nil }
            return row.ticket
        }
    }

    /// Spends a ticket, and adds its successor.
    ///
    /// - Throws: ``StoreRefusal/alreadySpent`` if a ticket with the successor's hash exists.
    public func spend(
        _ kind: Ticket.Kind, _ hash: [UInt8], in app: AppName, at now: Date, for session: SessionID?,
        keeping successor: Ticket?
    ) throws -> Spending {
        try transaction { tables throws in
            let key = TicketKey(app: app, kind: kind, hash: hash)
            guard let row = tables.tickets[key], row.ticket.expiresAt > now.asStored else { return .unknown }
            guard !row.isSpent else { return .replayed(row.ticket, session: row.session) }
            if let successor { try tables.checkNew(successor, at: now) }
            tables.tickets[key] = TicketRow(ticket: row.ticket, isSpent: true, session: session)
            if let successor { tables.keep(successor) }
            return .spent(row.ticket)
        }
    }
}

extension MemoryTables {
    /// - Throws: ``StoreRefusal/alreadySpent`` if there is one that has not expired.
    fileprivate func checkNew(_ ticket: Ticket, at now: Date) throws(StoreRefusal) {
        guard let known = tickets[TicketKey(ticket)] else { return }
        guard known.ticket.expiresAt <= now.asStored else { throw .alreadySpent }
    }

    /// Adds a ticket that was checked in the same transaction.
    fileprivate mutating func keep(_ ticket: Ticket) {
        var ticket = ticket
        ticket.expiresAt = ticket.expiresAt.asStored
        tickets[TicketKey(ticket)] = TicketRow(ticket: ticket)
    }
}

extension TicketKey {
    fileprivate init(_ ticket: Ticket) { self.init(app: ticket.app, kind: ticket.kind, hash: ticket.hash) }
}

public import Foundation
public import OstiaryCore
public import OstiaryEngine

extension SQLiteStore: TicketStore {
    public func add(_ ticket: Ticket) async throws { throw StoreError.damaged(detail: "to be written") }
    public func ticket(_ kind: Ticket.Kind, _ hash: [UInt8], in app: AppName, at now: Date) async throws -> Ticket? {
        throw StoreError.damaged(detail: "to be written")
    }
    public func spend(
        _ kind: Ticket.Kind, _ hash: [UInt8], in app: AppName, at now: Date, for session: SessionID?,
        keeping successor: Ticket?
    ) async throws -> Spending { throw StoreError.damaged(detail: "to be written") }
    public func account(of arrival: ProviderArrival) async throws -> Account {
        throw StoreError.damaged(detail: "to be written")
    }
    public func attachment(of session: SessionID, in app: AppName) async throws -> SessionAttachment? {
        throw StoreError.damaged(detail: "to be written")
    }
    public func replaceAttachment(
        of session: SessionID, in app: AppName, version: Int, with bytes: [UInt8]
    ) async throws -> Bool { throw StoreError.damaged(detail: "to be written") }
}

public import OstiaryEngine

/// Everything the engine keeps, in one place.
public protocol Store: AccountStore, AttemptStore, AuditLog, CodeStore, DeliveryQueue, Housekeeping, OutboxStore,
    ResetTokenStore, SessionStore, SigningKeyStore, TicketStore
{
    /// Finishes what is waiting and lets go of the database. Later calls throw ``StoreError/closed``.
    func close() async throws
}

/// The most sessions that one account has alive. One that signs in by a script has no more.
let sessionLimit = 200

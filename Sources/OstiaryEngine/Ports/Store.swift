/// Everything the engine keeps, in one place: messages and secrets are committed together with the accounts and counts
/// that they belong to.
public protocol Store: AccountStore, AttemptStore, AuditLog, CodeStore, DeliveryQueue, Housekeeping, OutboxStore,
    ResetTokenStore, SessionStore, SigningKeyStore, TicketStore
{
    /// Finishes what is waiting and lets go of what the store holds open. Later calls of a store that held something open
    /// throw.
    func close() async throws
}

/// All state that the engine keeps, behind one port: messages and secrets are committed in one transaction with the
/// accounts and counts that they belong to.
public protocol Store: AccountDirectory, AccountStore, AttemptStore, AuditLog, CodeStore, DeliveryQueue, FactorStore,
    StoreMaintenance,
    MessageStore, OutboxStore,
    ResetTokenStore, RoleStore, ServiceKeyStore, IdempotencyStore, SessionStore, SigningKeyStore, SingleUseRecordStore,
    StatisticsStore
{
    /// Completes pending work and releases the store's resources. Later calls throw if the store held resources open.
    func close() async throws
}

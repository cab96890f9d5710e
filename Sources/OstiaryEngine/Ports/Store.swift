/// All state that the engine keeps, behind one port: messages and secrets are committed in one transaction with the
/// accounts and counts that they belong to.
public protocol Store: AccountDirectory, AccountStore, AppKeyStore, AttemptStore, AuditLog, CodeStore, DeliveryQueue,
    DeviceStore, EventStore, FactorStore, IdempotencyStore, MessageStore, OutboxStore, RecognitionStore,
    ResetTokenStore, RoleStore,
    SealedValueStore, ServiceKeyStore, SessionOpeningStore, SessionStore, SignInHistoryStore,
    SigningKeyStore, SingleUseRecordStore, StatisticsStore, StoreMaintenance
{
    /// Completes pending work and releases the store's resources. Later calls throw if the store held resources open.
    func close() async throws
}

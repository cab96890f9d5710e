/// A right of a service key. The raw value is kept in the store and appears on the wire.
public enum AdministrationScope: String, CaseIterable, Hashable, Sendable {
    /// Reads accounts and their linked identities.
    case accountsRead = "accounts:read"
    /// Creates, changes and deletes accounts.
    case accountsWrite = "accounts:write"
    /// Exports everything that is kept about a person.
    case accountsExport = "accounts:export"
    /// Opens sessions in the name of other people.
    case accountsImpersonate = "accounts:impersonate"
    /// Reads sessions.
    case sessionsRead = "sessions:read"
    /// Ends sessions.
    case sessionsWrite = "sessions:write"
    /// Reads second factors.
    case factorsRead = "factors:read"
    /// Removes second factors.
    case factorsWrite = "factors:write"
    /// Reads roles.
    case rolesRead = "roles:read"
    /// Defines roles, and assigns them.
    case rolesWrite = "roles:write"
    /// Reads the audit log.
    case auditRead = "audit:read"
    /// Reads statistics.
    case statisticsRead = "stats:read"
    /// Reads the state of messages.
    case messagesRead = "messages:read"
    /// Sends messages again.
    case messagesWrite = "messages:write"
    /// Reads event endpoints and deliveries.
    case eventsRead = "events:read"
    /// Creates, changes and deletes event endpoints.
    case eventsWrite = "events:write"
    /// Reads signing keys.
    case signingKeysRead = "signing_keys:read"
    /// Rotates signing keys.
    case signingKeysWrite = "signing_keys:write"
}

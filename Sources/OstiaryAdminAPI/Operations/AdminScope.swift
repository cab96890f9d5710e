/// A right of a service key: a resource, and the access to it.
public enum AdminScope: String, CaseIterable, Hashable, Sendable {
    /// Reading accounts and their linked identities.
    case accountsRead = "accounts:read"
    /// Creating, changing and deleting accounts.
    case accountsWrite = "accounts:write"
    /// Reading everything that is kept about a person.
    case accountsExport = "accounts:export"
    /// Opening a short session of a person for support.
    case accountsImpersonate = "accounts:impersonate"
    /// Listing sessions.
    case sessionsRead = "sessions:read"
    /// Ending sessions.
    case sessionsWrite = "sessions:write"
    /// Listing second factors.
    case factorsRead = "factors:read"
    /// Removing second factors.
    case factorsWrite = "factors:write"
    /// Listing roles.
    case rolesRead = "roles:read"
    /// Defining roles and assigning them.
    case rolesWrite = "roles:write"
    /// Reading the audit log.
    case auditRead = "audit:read"
    /// Reading statistics.
    case statsRead = "stats:read"
    /// Listing queued messages.
    case messagesRead = "messages:read"
    /// Sending a failed message again.
    case messagesWrite = "messages:write"
    /// Listing event endpoints and deliveries.
    case eventsRead = "events:read"
    /// Managing event endpoints, and delivering events again.
    case eventsWrite = "events:write"
    /// Listing signing keys.
    case signingKeysRead = "signing_keys:read"
    /// Replacing the signing key.
    case signingKeysWrite = "signing_keys:write"
}

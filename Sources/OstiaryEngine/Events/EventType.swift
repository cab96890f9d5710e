/// The type of an event, which tells another system what changed. Kept in the store and sent by raw value.
public enum EventType: String, CaseIterable, Codable, Hashable, Sendable {
    /// An account was created.
    case accountCreated = "account.created"
    /// A field of an account that apps see has changed.
    case accountUpdated = "account.updated"
    /// An account was deleted, with its sessions and factors.
    case accountDeleted = "account.deleted"
    /// An account was disabled.
    case accountDisabled = "account.disabled"
    /// An account was enabled.
    case accountEnabled = "account.enabled"
    /// A session was opened.
    case sessionCreated = "session.created"
    /// A session ended before its time.
    case sessionRevoked = "session.revoked"
    /// The password of an account was changed or reset.
    case passwordChanged = "password.changed"
    /// A mail that resets the password of an account was requested.
    case passwordResetRequested = "password.reset_requested"
    /// A second factor was added.
    case factorAdded = "factor.added"
    /// A second factor was removed.
    case factorRemoved = "factor.removed"
    /// An identity of a provider was linked to an account.
    case identityLinked = "identity.linked"
    /// An identity of a provider was removed from an account.
    case identityUnlinked = "identity.unlinked"
    /// A sign-in to an account was refused. At most one a minute and account.
    case signInRefused = "sign_in.refused"
    /// The test of an endpoint, which an administrator requests. It concerns no account, and no endpoint subscribes to it.
    case test = "endpoint.test"

    /// The types that an endpoint can subscribe to.
    public static var subscribable: [EventType] { allCases.filter { $0 != .test } }

    /// The minimum interval of two ``signInRefused`` events of one account, in seconds.
    public static let refusalSeconds = 60
}

public import OstiaryCore

/// The person or program on whose behalf an administration acts.
public enum AdministrationActor: Hashable, Sendable {
    /// A user of the operating system who runs a command.
    case commandLine(user: String)
    /// A service key of the admin API, by its id.
    case serviceKey(String)
    /// An administrator who is signed in to the console: an account of the built-in provider's app.
    case account(AccountID)
    /// The server itself, by the schedule of signing keys.
    case schedule

    /// The actor in the audit log: `cli:alice`, `key:k1`, `account:7`, `schedule`.
    public var text: String {
        switch self {
        case .commandLine(let user): "cli:\(user)"
        case .serviceKey(let id): "key:\(id)"
        case .account(let id): "account:\(id)"
        case .schedule: "schedule"
        }
    }

    /// The values of ``actionPrefix``.
    static let actionPrefixes = ["cli", "admin"]

    /// The first part of the names of audited actions: `cli` for commands, `admin` for all others.
    public var actionPrefix: String {
        switch self {
        case .commandLine: "cli"
        case .serviceKey, .account, .schedule: "admin"
        }
    }
}

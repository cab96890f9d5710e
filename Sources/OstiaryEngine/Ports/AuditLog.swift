public import Foundation
public import OstiaryCore

/// Where it is written down who did what.
public protocol AuditLog: Sendable {
    /// Adds an event, in a commit of its own.
    func append(_ event: AuditEvent) async throws

    /// Events in the order in which they happened, beginning after `position`.
    ///
    /// - Returns: Each event with its position.
    func events(in app: AppName?, since: Date?, after position: Int?, limit: Int) async throws
        -> [(position: Int, event: AuditEvent)]
}

/// One thing that was done or refused. Holds no secret, and people by id or masked.
public struct AuditEvent: Hashable, Sendable {
    public var at: Date
    public var app: AppName
    /// What was asked: an operation's name, or `cli.` and a command's.
    public var action: String
    /// `ok`, or the refusal's stable code.
    public var outcome: String
    public var account: AccountID?
    public var session: SessionID?
    /// What the person signed in with, masked.
    public var identifier: String?
    public var address: String?
    public var userAgent: String?
    /// The operating system's user who ran a command: `cli:alice`; nil for what came over the network.
    public var actor: String?

    public init(
        at: Date, app: AppName, action: String, outcome: String, account: AccountID? = nil, session: SessionID? = nil,
        identifier: String? = nil, address: String? = nil, userAgent: String? = nil, actor: String? = nil
    ) {
        self.at = at
        self.app = app
        self.action = action
        self.outcome = outcome
        self.account = account
        self.session = session
        self.identifier = identifier
        self.address = address
        self.userAgent = userAgent
        self.actor = actor
    }
}

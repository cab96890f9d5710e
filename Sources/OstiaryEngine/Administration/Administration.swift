import Foundation
public import OstiaryCore

/// An administrator's operations on one app's accounts and sessions: the rules behind commands, the admin API and the
/// console.
///
/// Every change is first written to the audit log with the actor, and is not made if that fails.
public struct Administration: Sendable {
    /// Serves no caller: the administrator's network is none that the account's owner signs in from, and no message names it.
    let engine: AuthEngine
    /// The origin of the administrator's request, for the audit log.
    let caller: Caller
    /// The person or program on whose behalf the operations are performed.
    public let actor: AdministrationActor

    /// Creates the operations for an engine's app, on behalf of `actor`. The engine's caller is the administrator's.
    public init(engine: AuthEngine, actor: AdministrationActor) {
        self.engine = engine.serving(Caller())
        caller = engine.caller
        self.actor = actor
    }

    var app: AppSettings { engine.app }
    var ports: Ports { engine.ports }
    var now: Date { ports.system.now() }

    /// The settings of the app.
    public var settings: AppSettings { app }

    /// The name of the app.
    public var appName: AppName { app.name }

    /// Returns the account with that id.
    ///
    /// - Throws: ``AdministrationProblem`` if the app has none.
    public func account(_ id: AccountID) async throws -> Account {
        guard let account = try await ports.store.account(id, in: app.name) else { throw noAccount(id.text) }
        return account
    }

    func noAccount(_ who: String) -> AdministrationProblem { .notFound("no account \(who) in \(app.name)") }

    func audit(
        _ action: String, _ account: AccountID? = nil, _ session: SessionID? = nil, identifier: Identifier? = nil,
        details: [String: String] = [:]
    ) async throws {
        try await ports.store.append(
            AuditEvent(
                at: now, app: app.name, action: "\(actor.actionPrefix).\(action)", outcome: "ok", account: account,
                session: session, identifier: identifier?.masked, address: caller.address,
                userAgent: caller.userAgent, actor: actor.text, details: details))
    }
}

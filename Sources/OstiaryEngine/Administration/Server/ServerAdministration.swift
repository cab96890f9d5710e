public import OstiaryCore

/// The administrations of all apps of a server for one actor, and what belongs to no app.
///
/// An app out of the actor's reach is not distinguished from one that does not exist.
public struct ServerAdministration: Sendable {
    /// The server.
    public let server: AdministeredServer
    /// The person or program that acts.
    public let actor: AdministrationActor
    /// The apps and rights of the actor.
    public let reach: AdministrationReach
    /// The origin of the request, for the audit log.
    public let caller: Caller

    /// Creates the administration of a server on behalf of `actor`.
    public init(
        _ server: AdministeredServer, actor: AdministrationActor, reach: AdministrationReach = .everything,
        caller: Caller = Caller()
    ) {
        self.server = server
        self.actor = actor
        self.reach = reach
        self.caller = caller
    }

    /// The apps within reach, in the order of the configuration.
    public var apps: [AdministeredApp] { server.apps.filter { reach.includes($0.name) } }

    /// Returns the administration of an app.
    ///
    /// - Throws: ``AdministrationProblem`` for an app that does not exist or is out of reach.
    public func app(_ name: String) throws(AdministrationProblem) -> Administration {
        guard let name = try? AppName(name), let app = apps.first(where: { $0.name == name }) else {
            let names = apps.map(\.name.text).joined(separator: ", ")
            throw .notFound("no app \(AdministrationProblem.shown(name)) here; there are: \(names)")
        }
        return Administration(engine: app.engine.serving(caller), actor: actor)
    }

    /// Writes what belongs to no app, or what no administration of an app writes, to the audit log.
    ///
    /// - Parameters:
    ///   - action: The name of the action without the actor's prefix.
    ///   - app: The app concerned; `nil` for none.
    ///   - subject: The id of what the action concerns, if it is no account.
    ///   - outcome: `ok`, or a refusal's stable code.
    public func audit(
        _ action: String, app: AppName? = nil, account: AccountID? = nil, subject: String? = nil,
        outcome: String = "ok"
    ) async throws {
        try await server.store.append(
            AuditEvent(
                at: server.system.now(), app: app ?? .server, action: "\(actor.actionPrefix).\(action)",
                outcome: outcome, account: account, identifier: subject, address: caller.address,
                userAgent: caller.userAgent, actor: actor.text))
    }
}

import Foundation
import Logging
import OstiaryConfiguration
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import OstiaryTokens

/// Performs commands on an open store, for this process or for one that connects to the socket.
struct ControlService: Sendable {
    let dependencies: ServerDependencies
    /// The database file that is open; nil where the database is not a file.
    let store: FileIdentity?
    let log: Logger

    init(dependencies: ServerDependencies, log: Logger) {
        self.dependencies = dependencies
        self.log = log
        store = dependencies.resolved.databasePath.flatMap { FileIdentity(path: $0) }
    }

    /// - Parameter user: The user who runs the command; nil where the operating system does not report it.
    func answer(_ request: ControlRequest, from user: OperatingSystemUser?) async -> ControlAnswer {
        do {
            guard request.store == store else {
                throw AdministrationProblem("the running server has another database open than the configuration names")
            }
            guard let user else {
                throw AdministrationProblem("the operating system does not report the user of this command")
            }
            let actor = user.actor
            return try await ChangeActor.$current.withValue(actor.text) {
                .reply(try await perform(request.command, app: request.app, as: actor))
            }
        } catch let problem as AdministrationProblem {
            return .refused(problem.description)
        } catch let error as StoreError {
            return .refused(error.description)
        } catch AuthError.busy {
            return .refused("too many passwords are being hashed: try again in a moment")
        } catch {
            log.error("a command failed", metadata: ["error": "\(error)"])
            return .refused("unexpected failure; see the server's log")
        }
    }

    private func perform(
        _ command: ControlCommand, app name: String?, as actor: AdministrationActor
    ) async throws -> ControlReply {
        switch command {
        case .hello: return .done
        case .listKeys: return .keys(try await keys(of: name))
        case .audit(let since, let position): return try await events(of: name, since: since, after: position)
        case .endpoints(let command):
            return try await perform(command, app: try name.map { try engine($0).app.name }, as: actor)
        case .rotateKeys: return .keys(try await rotateKeys(of: try engine(name).app.name, as: actor))
        default: return try await perform(command, Administration(engine: try engine(name), actor: actor))
        }
    }

    private func perform(_ command: ControlCommand, _ administration: Administration) async throws -> ControlReply {
        switch command {
        case .listAccounts(let position):
            let (page, next) = try await administration.accounts(after: position, limit: ControlCommand.pageSize)
            return .accounts(page.map(Self.shown), position: next)
        case .showAccount(let who): return .account(Self.shown(try await administration.account(who)))
        case .createAccount(let record, let password):
            return .account(Self.shown(try await administration.create(record, password: password?.secret)))
        case .setActive(let isActive, let who):
            return .account(Self.shown(try await administration.setActive(isActive, who)))
        case .changeRoles(let who, let added, let removed):
            return .account(Self.shown(try await administration.changeRoles(who, adding: added, removing: removed)))
        case .setPassword(let password, let who):
            return .account(Self.shown(try await administration.setPassword(password.secret, of: who)))
        case .deleteAccount(let who): return .account(Self.shown(try await administration.delete(who)))
        case .importAccounts(let records, let keys):
            guard records.count <= ControlCommand.pageSize else {
                throw AdministrationProblem("at most \(ControlCommand.pageSize) records at once")
            }
            let seals = try keys.map { key throws(AdministrationProblem) in try key.seal }
            return .imported(
                try await administration.importAccounts(records, opening: seals).map { ImportResult($0) })
        case .exportAccounts(let position, let key):
            let (page, next) = try await administration.exportAccounts(
                after: position,
                limit: key == nil ? ControlCommand.pageSize : ControlCommand.pageSizeWithFactors, factors: try key?.seal
            )
            return .accounts(page, position: next)
        case .listSessions(let who):
            return .sessions(try await administration.sessions(of: who).map { SessionRecord($0) })
        case .revokeSession(let id):
            try await administration.revokeSession(id)
            return .revoked(count: 1)
        case .revokeAllSessions(let who): return .revoked(count: try await administration.revokeAllSessions(of: who))
        case .listFactors(let who):
            let enrolled = try await administration.factors(of: who)
            return .factors(
                enrolled.factors.map { FactorRecord($0) }, recoveryCodesLeft: enrolled.recoveryCodesLeft)
        case .resetFactors(let who):
            let (account, count) = try await administration.resetFactors(of: who)
            return .factorsRemoved(Self.shown(account), count: count)
        case .hello, .listKeys, .rotateKeys, .audit, .endpoints: return .done
        }
    }

    private static func shown(_ account: Account) -> AccountRecord {
        var record = AccountRecord(account)
        record.passwordHash = nil
        return record
    }

    private func engine(_ name: String?) throws -> AuthEngine {
        guard let engine = name.flatMap({ try? AppName($0) }).flatMap({ dependencies.engines[$0] }) else {
            let names = dependencies.names.map(\.text).joined(separator: ", ")
            throw AdministrationProblem.notFound("no app \(name ?? "") here; there are: \(names)")
        }
        return engine
    }

    // MARK: Keys

    private func keys(of name: String?) async throws -> [KeyRecord] {
        let only = try name.map { try engine($0).app.name }
        var records: [KeyRecord] = []
        for app in dependencies.names where only == nil || only == app {
            records += try await list(dependencies.signingKeys[app] ?? [], of: app)
        }
        return records
    }

    private func rotateKeys(of app: AppName, as actor: AdministrationActor) async throws -> [KeyRecord] {
        guard let keys = dependencies.signingKeys[app] else {
            throw AdministrationProblem("\(app) signs with its jwt_secret: change that in the configuration")
        }
        let now = dependencies.system.now()
        try await dependencies.store.append(
            AuditEvent(at: now, app: app, action: "cli.keys.rotate", outcome: "ok", actor: actor.text))
        for set in keys { try await set.rotate(at: now) }
        return try await list(keys, of: app)
    }

    /// Returns the records of key sets. The provider's keys are stored under two names, one for each algorithm; both
    /// belong to the provider.
    private func list(_ sets: [SigningKeys], of app: AppName) async throws -> [KeyRecord] {
        var records: [KeyRecord] = []
        for set in sets {
            records += try await set.list(at: dependencies.system.now()).map { KeyRecord($0, of: app) }
        }
        return records
    }

    // MARK: Audit

    private func events(of name: String?, since: Date?, after position: Int?) async throws -> ControlReply {
        let app = try name.map { try engine($0).app.name }
        let page = try await dependencies.store.events(
            in: app, since: since, after: position, limit: ControlCommand.pageSize)
        return .events(page.map { EventRecord($0.event) }, position: page.last?.position)
    }
}

extension ResolvedConfiguration {
    /// The path of the database file; nil for a database that is not a file.
    var databasePath: String? {
        switch configuration.store {
        case .sqlite(let path): path
        case .postgres: nil
        }
    }
}

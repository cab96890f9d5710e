import Foundation
import Logging
import OstiaryConfiguration
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import OstiaryProvider
import OstiaryStore

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
        } catch let problem as BackupProblem {
            return .refused(problem.description)
        } catch let problem as StoreCopyProblem {
            return .refused(problem.description)
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
        case .listKeys: return .keys(try await keys(of: name, as: actor))
        case .audit(let filter, let position): return try await events(of: name, filter, after: position, as: actor)
        case .selectEvents(let filter, let position):
            return try await selectedEvents(of: name, filter, after: position?.position, as: actor)
        case .listMessages(let state, let limit):
            let known = try state.map { text throws(AdministrationProblem) in
                guard let known = Message.State(rawValue: text) else {
                    throw AdministrationProblem("a message is queued, sent or failed")
                }
                return known
            }
            let (page, _) = try await messages(of: name, as: actor).messages(
                known, limit: min(limit, ControlCommand.pageSize))
            return .messages(page.map { MessageLine($0) })
        case .retryMessage(let id):
            try await messages(of: name, as: actor).retry(id)
            return .done
        case .createServiceKey, .listServiceKeys, .revokeServiceKey:
            let administration = ServerAdministration(dependencies.administered, actor: actor)
            guard let reply = try await perform(command, administration) else { throw ControlReply.unexpected }
            return reply
        case .endpoints(let command):
            return try await perform(command, app: try name.map { try engine($0).app.name }, as: actor)
        case .sealedValues(let kind, let position, let reseals):
            let rotation = EncryptionKeyRotation(store: dependencies.store, keys: dependencies.keys)
            let (counts, next) = try await rotation.page(of: kind, after: position, reseals: reseals)
            return .sealedValues(counts, next: next)
        case .backUp, .checkStore, .observeServer: return try await perform(command, on: dependencies.store)
        default: return try await perform(command, Administration(engine: try engine(name), actor: actor))
        }
    }

    private func perform(_ command: ControlCommand, _ administration: Administration) async throws -> ControlReply {
        func shown(_ account: Account) -> AccountRecord { Self.shown(account, administration.attributes) }
        switch command {
        case .listAccounts(let position):
            let (page, next) = try await administration.accounts(after: position, limit: ControlCommand.pageSize)
            return .accounts(page.map(shown), position: next)
        case .showAccount(let who): return .account(shown(try await administration.account(who)))
        case .createAccount(let record, let attributes, let password):
            return .account(
                shown(try await administration.create(record, attributes: attributes, password: password?.secret)))
        case .updateAccount(let who, let fullName, let attributes, let removed):
            return .account(
                shown(
                    try await administration.changeProfile(
                        of: who, fullName: fullName, attributes: attributes, removing: removed)))
        case .setActive(let isActive, let who):
            return .account(shown(try await administration.setActive(isActive, who)))
        case .changeRoles(let who, let added, let removed):
            return .account(shown(try await administration.changeRoles(who, adding: added, removing: removed)))
        case .setPassword(let password, let who):
            return .account(shown(try await administration.setPassword(password.secret, of: who)))
        case .deleteAccount(let who): return .account(shown(try await administration.delete(who)))
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
        case .inviteAdministrator(let email):
            let invited = try await administration.inviteAdministrator(email)
            return .invited(
                shown(invited.account), link: NewPassword(try passwordLink(with: invited.token)),
                isNew: invited.isNew, expiresAt: invited.expiresAt)
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
            return .factorsRemoved(shown(account), count: count)
        case .statistics(let from, let to, let interval):
            guard let interval = StatisticsInterval(rawValue: interval) else { throw ControlReply.unexpected }
            // Includes the events since the last run, and those of a server that is stopped.
            try await StatisticsRollUp(store: dependencies.store).run()
            return .statistics(
                StatisticsRecord(
                    try await administration.statistics(StatisticsQuery(from: from, to: to, interval: interval))))
        case .explainRisk(let session, let event):
            if let session { return .risk(RiskRecord(try await administration.risk(ofSession: session))) }
            guard let event else { throw ControlReply.unexpected }
            return .risk(RiskRecord(try await administration.risk(ofEvent: event)))
        case .rotateKeys: return try await rotateKeys(administration, revokingEarlier: false)
        case .replaceKeys: return try await rotateKeys(administration, revokingEarlier: true)
        case .listRoles(let name):
            let (page, next) = try await administration.roles(after: name, limit: ControlCommand.pageSize)
            return .roles(page.map { RoleRecord($0) }, next: next)
        case .createRole(let name, let permissions):
            return .roles([RoleRecord(try await administration.createRole(name, permissions: permissions))], next: nil)
        case .updateRole(let name, let permissions):
            return .roles([RoleRecord(try await administration.updateRole(name, permissions: permissions))], next: nil)
        case .deleteRole(let name):
            try await administration.deleteRole(name)
            return .done
        default: throw ControlReply.unexpected
        }
    }

    private func rotateKeys(_ administration: Administration, revokingEarlier: Bool) async throws -> ControlReply {
        let keys = try await administration.rotateSigningKeys(revokingEarlier: revokingEarlier)
        return .keys(keys.map { record(of: $0, in: administration.appName, among: keys) })
    }

    /// Returns the URL of the provider's page that sets a password.
    private func passwordLink(with token: Secret<String>) throws -> Secret<String> {
        guard let provider = dependencies.builtIn else {
            throw AdministrationProblem("the configuration has no provider of accounts; add idp to it")
        }
        return Secret(
            URLQuery.append(
                [("token", token.reveal())],
                to: provider.provider.settings.issuer + ProviderServer.resetPasswordPath))
    }

    private static func shown(_ account: Account, _ definitions: AttributeDefinitions) -> AccountRecord {
        var record = AccountRecord(account)
        record.passwordHash = nil
        let attributes = definitions.fitting(account.attributes)
        if !attributes.isEmpty { record.attributes = attributes }
        return record
    }

    private func engine(_ name: String?) throws -> AuthEngine {
        guard let engine = name.flatMap({ try? AppName($0) }).flatMap({ dependencies.engines[$0] }) else {
            let names = dependencies.names.map(\.text).joined(separator: ", ")
            throw AdministrationProblem.notFound("no app \(name ?? "") here; there are: \(names)")
        }
        return engine
    }

    /// - Throws: ``AdministrationProblem`` if the app does not exist.
    func checkApp(_ name: String) throws { _ = try engine(name) }

    private func keys(of name: String?, as actor: AdministrationActor) async throws -> [KeyRecord] {
        var records: [KeyRecord] = []
        for app in try apps(name) {
            let keys = try await Administration(engine: engine(app.text), actor: actor).signingKeys()
            records += keys.map { record(of: $0, in: app, among: keys) }
        }
        return records
    }

    private func record(of key: StoredSigningKey, in app: AppName, among keys: [StoredSigningKey]) -> KeyRecord {
        KeyRecord(key, of: app, among: keys, at: dependencies.system.now())
    }

    /// Returns the app of that name; all apps for nil.
    private func apps(_ name: String?) throws -> [AppName] {
        guard let name else { return dependencies.names }
        return [try engine(name).app.name]
    }

    private func messages(of name: String?, as actor: AdministrationActor) throws -> MessageAdministration {
        MessageAdministration(
            store: dependencies.store, sealer: dependencies.notificationSealer, system: dependencies.system,
            apps: try apps(name), actor: actor)
    }

    // MARK: Audit

    private func events(
        of name: String?, _ filter: AuditFilter, after position: Int?, as actor: AdministrationActor
    ) async throws -> ControlReply {
        let app = try name.map { try engine($0).app.name }
        let page = try await dependencies.store.events(
            in: app, since: filter.since, after: position, limit: ControlCommand.pageSize)
        var events = page.map { RecordedEvent(id: $0.position, event: $0.event) }
        if !filter.isOpen {
            let query = try await query(of: name, filter, as: actor)
            events.removeAll { !query.selects($0.event) }
        }
        return .events(events.map { EventRecord($0) }, position: page.last?.position)
    }

    private func selectedEvents(
        of name: String?, _ filter: AuditFilter, after position: AuditPosition?, as actor: AdministrationActor
    ) async throws -> ControlReply {
        let query = try await query(of: name, filter, as: actor)
        let (page, next) = try await dependencies.store.events(
            query, after: position, limit: ControlCommand.pageSize)
        return .selectedEvents(page.map { EventRecord($0) }, position: next.map { EventPosition($0) })
    }

    private func query(
        of name: String?, _ filter: AuditFilter, as actor: AdministrationActor
    ) async throws -> AuditQuery {
        var account: AccountID?
        if let who = filter.account {
            guard let name else { throw AdministrationProblem("--account needs --app") }
            account = try await Administration(engine: engine(name), actor: actor).account(who).id
        }
        return try AuditQuery(
            apps: apps(name), account: account, action: filter.action, outcome: filter.outcome, since: filter.since,
            until: filter.until, order: .oldestFirst)
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

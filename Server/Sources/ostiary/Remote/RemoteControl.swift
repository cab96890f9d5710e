import Foundation
import OstiaryAdmin
import OstiaryContracts
import OstiaryEngine
import Synchronization

/// A server on another machine, which performs commands through its admin API.
///
/// It decides nothing: each command is one or more requests, and their answers become the records that commands show.
final class RemoteControl: Control {
    let admin: AdminClient
    private let cursors = Mutex(CursorPositions())
    /// The end of the audit log that was read.
    let auditTail = Mutex(AuditTail())
    /// The actor of this control's requests in the audit log.
    let actor: String?

    /// - Parameter key: The key of the client.
    init(_ admin: AdminClient, key: Secret<String>) {
        self.admin = admin
        actor = ServiceKeySecret(key).map { AdministrationActor.serviceKey($0.id.text).text }
    }

    func close() async throws {}

    /// Each record is a request of its own.
    let maximumImport = 20

    func perform(_ command: ControlCommand, app: String?) async throws -> ControlReply {
        do {
            switch command {
            // This control knows the position: see ``newEvents(of:_:)``.
            case .audit(let filter, _): return .events(try await newEvents(of: app, filter), position: nil)
            case .selectEvents(let filter, _):
                return .selectedEvents(try await events(of: app, filter), position: nil)
            default: return try await perform(command, in: app ?? "")
            }
        } catch let error as AdminError {
            throw AdministrationProblem(
                error.isRetryable ? .busy : .invalid, code: error.code ?? "invalid_request", error.description)
        }
    }

    private func perform(_ command: ControlCommand, in app: String) async throws -> ControlReply {
        switch command {
        case .listAccounts(let position): return try await accounts(in: app, after: position)
        case .showAccount(let who): return .account(try await record(of: account(who, in: app)))
        case .createAccount(let record, let attributes, let password):
            let values = try await self.attributes(setting: attributes, in: app)
            return .account(try await create(record, attributes: values, password: password, in: app))
        case .updateAccount(let who, let fullName, let attributes, let removed):
            let patch = AdminAccountPatch(
                fullName: fullName.map { .set($0) } ?? .keep,
                attributes: try await self.attributes(setting: attributes, removing: removed, in: app))
            let id = try await account(who, in: app).id
            return .account(AccountRecord(try await admin.updateAccount(id, in: app, patch)))
        case .setActive(let isActive, let who):
            let id = try await account(who, in: app).id
            if isActive {
                try await admin.enableAccount(id, in: app)
            } else {
                try await admin.disableAccount(id, in: app)
            }
            return .account(AccountRecord(try await admin.account(id, in: app)))
        case .changeRoles(let who, let added, let removed):
            return .account(try await changeRoles(of: who, adding: added, removing: removed, in: app))
        case .setPassword(let password, let who):
            let account = try await account(who, in: app)
            try await admin.setPassword(password.secret, of: account.id, in: app)
            return .account(AccountRecord(account))
        case .deleteAccount(let who):
            let account = try await account(who, in: app)
            try await admin.deleteAccount(account.id, in: app)
            return .account(AccountRecord(account))
        case .importAccounts(let records, let seals):
            guard seals.isEmpty else { throw ControlReply.unexpected }
            return .imported(try await importAccounts(records, in: app))
        case .exportAccounts(let position, let seal):
            guard seal == nil else { throw ControlReply.unexpected }
            return try await exportAccounts(after: position, in: app)
        case .listSessions, .revokeAllSessions, .listFactors, .resetFactors:
            return try await performOnSecurity(command, in: app)
        case .statistics(let from, let to, let interval):
            let query = AdminStatisticsQuery(
                app, from: from, to: to, interval: AdminStatisticsInterval(rawValue: interval))
            return .statistics(StatisticsRecord(try await admin.statistics(query)))
        case .revokeSession:
            throw AdministrationProblem("with --server, name the account: ostiary sessions revoke --all WHO")
        default:
            if let reply = try await performOnRoles(command, in: app) { return reply }
            throw AdministrationProblem("this command works on the server's own machine, without --server")
        }
    }

    // MARK: Accounts

    private func accounts(in app: String, after position: Int?) async throws -> ControlReply {
        let (accounts, next) = try await page(of: app, after: position)
        return .accounts(accounts.map { AccountRecord($0) }, position: next)
    }

    /// Returns a page of the accounts of an app, and the position of the next one.
    func page(of app: String, after position: Int?) async throws -> (accounts: [AdminAccount], next: Int?) {
        var query = AdminAccountQuery(limit: AdminAPI.maximumPageLimit)
        query.cursor = cursors.withLock { $0.cursor(at: position) }
        let page = try await admin.accounts(in: app, query).page()
        let next = try page.nextCursor.map { cursor in try cursors.withLock { try $0.position(of: cursor) } }
        return (page.items, next)
    }

    private func create(
        _ record: AccountRecord, attributes: [String: JSON]?, password: NewPassword?, in app: String
    ) async throws -> AccountRecord {
        var new = AdminAccountCreation(
            email: record.email, username: record.username, phoneNumber: record.phoneNumber, fullName: record.fullName,
            attributes: attributes)
        new.password = password?.secret
        let account = try await admin.createAccount(new, in: app)
        guard let roles = record.roles, !roles.isEmpty else { return AccountRecord(account) }
        do {
            try await admin.setRoles(try roles.map { try AdminRoleAssignment(shown: $0) }, of: account.id, in: app)
            return AccountRecord(try await admin.account(account.id, in: app))
        } catch {
            throw AdministrationProblem("created \(AccountRecord(account).label), without its roles: \(error)")
        }
    }

    private func changeRoles(
        of who: String, adding added: [String], removing removed: [String], in app: String
    ) async throws -> AccountRecord {
        let account = try await account(who, in: app)
        let (added, removed) = (
            try added.map { try AdminRoleAssignment(shown: $0) }, try removed.map { try AdminRoleAssignment(shown: $0) }
        )
        var roles = account.roles.filter { !removed.contains($0) }
        for role in added where !roles.contains(role) { roles.append(role) }
        try await admin.setRoles(roles, of: account.id, in: app)
        return AccountRecord(try await admin.account(account.id, in: app))
    }

    /// Returns an account with its identifier at its provider.
    func record(of account: AdminAccount) async throws -> AccountRecord {
        var record = AccountRecord(account)
        guard !account.providers.isEmpty else { return record }
        record.providerSubject = try await admin.identities(of: account.id, in: account.app).page().items.first?.subject
        return record
    }
}

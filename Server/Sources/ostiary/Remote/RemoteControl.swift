import Foundation
import OstiaryAdmin
import OstiaryEngine
import Synchronization

/// A server on another machine, which performs commands through its admin API.
///
/// It decides nothing: each command is one or more requests, and their answers become the records that commands show.
final class RemoteControl: Control {
    let admin: AdminClient
    private let cursors = Mutex(CursorPositions())

    init(_ admin: AdminClient) { self.admin = admin }

    func close() async throws {}

    func perform(_ command: ControlCommand, app: String?) async throws -> ControlReply {
        do {
            switch command {
            case .audit(let filter, after: nil): return .events(try await events(of: app, filter), position: nil)
            // There is nothing after the last event: the list is read whole.
            case .audit: return .events([], position: nil)
            case .selectEvents(let filter, _):
                return .selectedEvents(try await events(of: app, filter), position: nil)
            default: return try await perform(command, in: app ?? "")
            }
        } catch let error as AdminError {
            throw AdministrationProblem(error.description)
        }
    }

    private func perform(_ command: ControlCommand, in app: String) async throws -> ControlReply {
        switch command {
        case .listAccounts(let position): return try await accounts(in: app, after: position)
        case .showAccount(let who): return .account(try await record(of: account(who, in: app)))
        case .createAccount(let record, let attributes, let password):
            guard attributes.isEmpty else { throw Self.withoutTypes }
            return .account(try await create(record, password: password, in: app))
        case .updateAccount(let who, let fullName, let attributes, let removed):
            guard attributes.isEmpty else { throw Self.withoutTypes }
            let patch = AdminAccountPatch(
                fullName: fullName.map { .set($0) } ?? .keep,
                attributes: removed.isEmpty ? nil : Dictionary(removed.map { ($0, .null) }) { first, _ in first })
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

    /// The error for attributes as texts: the configuration, which declares their types, is on the server's machine.
    private static var withoutTypes: AdministrationProblem {
        AdministrationProblem("--set works on the server's own machine, without --server")
    }

    // MARK: Accounts

    private func accounts(in app: String, after position: Int?) async throws -> ControlReply {
        var query = AdminAccountQuery(limit: AdminAPI.maximumPageLimit)
        query.cursor = cursors.withLock { $0.cursor(at: position) }
        let page = try await admin.accounts(in: app, query).page()
        let next = try page.nextCursor.map { cursor in try cursors.withLock { try $0.position(of: cursor) } }
        return .accounts(page.items.map { AccountRecord($0) }, position: next)
    }

    private func create(_ record: AccountRecord, password: NewPassword?, in app: String) async throws -> AccountRecord {
        var new = AdminAccountCreation(
            email: record.email, username: record.username, phoneNumber: record.phoneNumber, fullName: record.fullName)
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
    private func record(of account: AdminAccount) async throws -> AccountRecord {
        var record = AccountRecord(account)
        guard !account.providers.isEmpty else { return record }
        record.providerSubject = try await admin.identities(of: account.id, in: account.app).page().items.first?.subject
        return record
    }
}

import Foundation
package import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

// Every transaction takes its locks in this order, against deadlocks: its operation or the attempt buckets that it
// counts in, a service key, a code, the app's counter, an account, a single-use record, factors, recovery codes, names, sessions,
// reset tokens.

extension PostgresStore {
    package func add(_ account: NewAccount, spending secret: SingleUseSecret?) async throws -> Account {
        try await add(account, spending: secret, as: WriteOperation(system))
    }

    func add(
        _ account: NewAccount, spending secret: SingleUseSecret?, as operation: WriteOperation
    ) async throws -> Account {
        let uuid = system.uuid()
        return try await transaction { tx in
            let id: AccountID
            let start = try await tx.begin(operation)
            let isFirst = start == .first
            switch start {
            case .repeated(let answer): id = try AccountID(answer ?? "")
            case .first:
                if case .code = secret, let secret { try await tx.spend(secret) }
                if let brought = account.id {
                    id = brought
                    try await tx.count(accountID: id, in: account.app)
                } else {
                    id = try await tx.newAccountID(account.idKind, in: account.app, uuid: uuid)
                }
                try await tx.insert(account, as: id)
                if case .resetToken = secret, let secret { try await tx.spend(secret) }
                try await tx.remember(id.text, of: operation)
            }
            guard let added = try await tx.account(id, in: account.app) else {
                throw StoreError.damaged(detail: "an added account is missing")
            }
            if let passkey = account.passkey, isFirst {
                guard try await tx.add(passkey.factor(of: added)) else { throw StoreRefusal.identifierTaken }
            }
            if let invitation = account.invitation, isFirst {
                let token = invitation.resetToken(of: id, in: account.app)
                try await tx.run([token.insertion, invitation.message.insertion])
            }
            return added
        }
    }

    package func account(_ id: AccountID, in app: AppName) async throws -> Account? {
        try await read(PostgresTransaction.accountByID, [app.text, id.text]).value { try $0.account() }
    }

    package func account(identifiedBy identifier: Identifier, in app: AppName) async throws -> Account? {
        switch identifier {
        case .phoneNumber(let number):
            try await read(
                "SELECT \(PostgresReader.accountColumns) FROM account a WHERE a.app = $1 AND a.phone_number = $2",
                [app.text, number.e164]
            ).value { try $0.account() }
        case .username(let username):
            // Usernames and emails are one set of names, so that the second lookup is the same as the first.
            try await account(named: username.lookupKeys, in: app)
        case .email(let email):
            try await account(named: [email.canonical], in: app).flatMap { account in
                account.signsInByEmail && account.email == email ? account : nil
            }
        }
    }

    /// - Parameter keys: One or two, in sort order.
    private func account(named keys: [String], in app: AppName) async throws -> Account? {
        try await read(
            """
            SELECT \(PostgresReader.accountColumns)
            FROM account_name n JOIN account a ON a.app = n.app AND a.id = n.account_id
            WHERE n.app = $1 AND n.name IN ($2, $3) ORDER BY n.name LIMIT 1
            """, [app.text, keys.first, keys.last]
        ).value { try $0.account() }
    }

    package func accounts(labelled name: String, in app: AppName, limit: Int) async throws -> [Account] {
        // In the collation "C" lower() changes ASCII letters alone, as canonical forms do.
        try await read(
            """
            SELECT \(PostgresReader.accountColumns) FROM account a
            WHERE a.number = ANY (ARRAY (
                (SELECT number FROM account WHERE app = $1 AND lower(username) = $2
                ORDER BY lower(username), number LIMIT $3)
                UNION (SELECT number FROM account WHERE app = $1 AND lower(email) = $2
                ORDER BY lower(email), number LIMIT $3)))
            ORDER BY a.number LIMIT $3
            """, [app.text, name, limit]
        ).values { try $0.account() }
    }

    /// Returns a page of accounts. One that is added while the pages are read may be missing.
    package func accounts(
        in app: AppName, after position: Int?, limit: Int
    ) async throws -> (page: [Account], position: Int?) {
        let limit = max(1, min(limit, 10_000))
        let found = try await read(
            """
            SELECT a.number, \(PostgresReader.accountColumns) FROM account a
            WHERE a.app = $1 AND a.number > $2 ORDER BY a.number LIMIT $3
            """, [app.text, position ?? 0, limit + 1]
        ).values { row in (position: Int(try row.integer()), account: try row.account()) }
        let page = found.prefix(limit)
        return (page.map(\.account), found.count > limit ? page.last?.position : nil)
    }

    package func delete(
        _ id: AccountID, in app: AppName, credentialVersion version: Int?, keeping role: String?
    ) async throws -> Bool {
        try await delete(id, in: app, credentialVersion: version, keeping: role, as: WriteOperation(system))
    }

    func delete(
        _ id: AccountID, in app: AppName, credentialVersion version: Int?, keeping role: String? = nil,
        as operation: WriteOperation
    ) async throws -> Bool {
        try await performOnce(operation) { tx in
            if let role {
                try await tx.lockHolders(of: role, in: app, wholly: true)
                if try await tx.account(id, in: app)?.isHolder(of: role) == true {
                    try await tx.requireHolder(of: role, besides: id, in: app)
                }
            }
            let results = try await tx.run([
                PostgresStatement(
                    """
                    SELECT 1 FROM account
                    WHERE app = $1 AND id = $2 AND credential_version = COALESCE($3, credential_version) FOR UPDATE
                    """, [app.text, id.text, version]),
                // Dependent rows may be deleted in any order; names are locked in sort order.
                PostgresStatement(
                    "SELECT 1 FROM account_name WHERE app = $1 AND account_id = $2 ORDER BY name FOR UPDATE",
                    [app.text, id.text]),
            ])
            guard results.first?.count == 1 else { throw NothingDone() }
            try await tx.commit(after: [
                PostgresStatement("DELETE FROM account WHERE app = $1 AND id = $2", [app.text, id.text])
            ])
        }
    }
}

extension PostgresTransaction {
    static let accountByID =
        "SELECT \(PostgresReader.accountColumns) FROM account a WHERE a.app = $1 AND a.id = $2"

    func account(_ id: AccountID, in app: AppName) async throws -> Account? {
        try await run(Self.accountByID, [app.text, id.text]).value { try $0.account() }
    }

    /// Returns the account as last committed, locked until the transaction ends.
    func lockedAccount(_ id: AccountID, in app: AppName) async throws -> Account? {
        try await run("\(Self.accountByID) FOR NO KEY UPDATE", [app.text, id.text]).value { try $0.account() }
    }
}

import OstiaryAdmin
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension RemoteControl {
    /// The statuses of refusals that concern one account, and not the key or the server.
    private static let refusalsOfRecords = [400, 409, 413, 422]

    /// Adds accounts one after the other, with their password hashes and roles.
    ///
    /// - Returns: The outcome of each record, in the order of the records.
    /// - Throws: ``AdminError`` of a request that no account would pass; ``AdministrationProblem`` for an account whose roles were
    ///   not assigned.
    func importAccounts(_ records: [AccountRecord], in app: String) async throws -> [ImportResult] {
        var results: [ImportResult] = []
        for record in records { results.append(try await add(record, in: app)) }
        return results
    }

    private func add(_ record: AccountRecord, in app: String) async throws -> ImportResult {
        if let reason = record.reasonForLocalImport { return .refused(reason) }
        let roles: [AdminRoleAssignment]
        do throws(AdministrationProblem) {
            roles = try (record.roles ?? []).map(AdminRoleAssignment.init(shown:))
        } catch {
            return .refused(error.description)
        }
        let account: AdminAccount
        do throws(AdminError) {
            account = try await admin.createAccount(AdminAccountCreation(record), in: app)
        } catch {
            guard let status = error.status, Self.refusalsOfRecords.contains(status) else { throw error }
            let isThere = status == 409 ? try await hasAccount(record, in: app) : false
            return isThere ? .alreadyThere : .refused(error.description)
        }
        if !roles.isEmpty {
            do { try await admin.setRoles(roles, of: account.id, in: app) } catch {
                throw AdministrationProblem("created \(AccountRecord(account).label), without its roles: \(error)")
            }
        }
        return record.createdAt == nil ? .added : .addedChanged(["created_at: is the time of the import"])
    }

    /// Returns `true` if the person of a record has an account already.
    private func hasAccount(_ record: AccountRecord, in app: String) async throws -> Bool {
        for name in [record.username, record.email, record.phoneNumber].compactMap(\.self) {
            for account in try await accounts(shownAs: name, in: app)
            where account.providers.isEmpty && account.names.isSamePerson(as: record.names) { return true }
        }
        return false
    }

    /// Returns a page of accounts in the form of an import, without the password hashes, which the admin API does not give.
    func exportAccounts(after position: Int?, in app: String) async throws -> ControlReply {
        let (accounts, next) = try await page(of: app, after: position)
        var records: [AccountRecord] = []
        for account in accounts { records.append(try await record(of: account)) }
        return .accounts(records, position: next)
    }

    /// Returns the values of attributes that are given as texts, by the types that the app declares.
    ///
    /// - Throws: ``AdministrationProblem`` as on the server's own machine; ``AdminError``.
    func attributes(
        setting texts: [String: String], removing removed: [String] = [], in app: String
    ) async throws -> [String: JSON]? {
        guard !texts.isEmpty || !removed.isEmpty else { return nil }
        let declared: AttributeDefinitions = texts.isEmpty ? .none : try await definitions(of: app)
        return try Self.changes(of: declared, setting: texts, removing: removed)
    }

    // Not inlined: the optimizer of Swift 6.3.1 crashes on the error of the one function inside the coroutine of the other.
    @inline(never)
    private static func changes(
        of declared: AttributeDefinitions, setting texts: [String: String], removing removed: [String]
    ) throws -> [String: JSON] {
        try declared.changes(setting: texts, removing: removed).mapValues { $0.map { JSON($0) } ?? .null }
    }

    private func definitions(of name: String) async throws -> AttributeDefinitions {
        for try await app in admin.apps() where app.name.utf8.elementsEqual(name.utf8) {
            let known = app.attributes.compactMap { attribute in
                AttributeType(rawValue: attribute.type.rawValue).map { AttributeDefinition(attribute.name, $0) }
            }
            do { return try AttributeDefinitions(known) } catch {
                throw AdministrationProblem("the server's attributes: \(error)")
            }
        }
        throw AdministrationProblem("no app \(name) there")
    }
}

extension AccountRecord {
    /// The reason for which the admin API cannot add the record as it is; nil if it can.
    fileprivate var reasonForLocalImport: String? {
        func reason(_ field: String, _ text: String) -> String {
            "\(field): \(text); import it on the server's own machine"
        }
        if id != nil { return reason("id", "is assigned by the server (--new-ids permits that)") }
        if factors != nil || totpSecret != nil { return reason("factors", "cannot be added through the admin API") }
        if authProvider ?? "local" != "local" || providerSubject != nil {
            return reason("auth_provider", "accounts of providers cannot be added through the admin API")
        }
        // It could sign in until a second request disables it.
        if active == false { return reason("active", "a disabled account cannot be added through the admin API") }
        return nil
    }

    fileprivate var names: ImportedNames {
        ImportedNames(
            username: username.flatMap { try? Username($0) }, email: email.flatMap { try? EmailAddress($0) },
            phoneNumber: phoneNumber.flatMap { try? PhoneNumber($0) })
    }
}

extension AdminAccount {
    fileprivate var names: ImportedNames { AccountRecord(self).names }
}

extension AdminAccountCreation {
    fileprivate init(_ record: AccountRecord) {
        self.init(
            email: record.email, username: record.username, phoneNumber: record.phoneNumber, fullName: record.fullName,
            attributes: record.attributes?.mapValues { JSON($0) },
            passwordHash: record.passwordHash.flatMap { $0.isEmpty ? nil : Secret($0) })
    }
}

import OstiaryAdmin
import OstiaryEngine

extension RemoteControl {
    private static let idPrefix = "id:"
    /// The maximum number of accounts whose names begin with the one that is looked for.
    private static let maximumCandidates = 1000

    /// Returns the one account that `who` names: by its id, or by its email, username or phone number as they are shown.
    ///
    /// - Throws: ``AdministrationProblem`` if there is none, or with a list if there are several; ``AdminError``.
    func account(_ who: String, in app: String) async throws -> AdminAccount {
        if who.utf8.starts(with: Self.idPrefix.utf8) {
            return try await admin.account(String(who.dropFirst(Self.idPrefix.count)), in: app)
        }
        let matches = try await accounts(shownAs: who, in: app)
        guard let account = matches.first else { throw AdministrationProblem("no account \(who) in \(app)") }
        guard matches.count == 1 else {
            let ids = matches.prefix(10).map { "id \($0.id)" }.joined(separator: ", ")
            throw AdministrationProblem(
                "several accounts of \(app) match \(who): \(ids); say which by its id, for example id:\(account.id)")
        }
        return account
    }

    /// Returns the accounts whose id, email, username or phone number is `who`.
    func accounts(shownAs who: String, in app: String) async throws -> [AdminAccount] {
        var matches: [AdminAccount] = []
        var candidates = 0
        for try await account in admin.accounts(
            in: app, AdminAccountQuery(text: who, limit: AdminAPI.maximumPageLimit))
        {
            candidates += 1
            guard candidates <= Self.maximumCandidates else {
                throw AdministrationProblem("too many accounts begin with \(who): give the account's id, as id:…")
            }
            if account.isShown(as: who) { matches.append(account) }
        }
        return matches
    }
}

extension AdminAccount {
    /// Returns `true` if a text is the account's id, email, username or phone number, letters compared without case.
    fileprivate func isShown(as text: String) -> Bool {
        guard !id.utf8.elementsEqual(text.utf8) else { return true }
        let text = text.lowercased()
        return [email, username, phoneNumber].contains { $0?.lowercased() == text }
    }
}

extension AdminRoleAssignment {
    /// Creates an assignment from `ROLE` or `ROLE@SCOPE`.
    ///
    /// - Throws: ``AdministrationProblem``.
    init(shown text: String) throws(AdministrationProblem) {
        guard let assignment = try RoleAssignment.read([text]).first else {
            throw AdministrationProblem("\(text) is not a role")
        }
        self.init(assignment.role, scope: assignment.scope?.text)
    }
}

import OstiaryAdminAPI
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension AdminRoutes {
    static let accounts = [
        AdminRoute(AdminAPI.listAccounts) { request, query, _ in
            let app = try request.app
            let page = try await app.accounts(try AccountQuery(query))
            return AdminPage(page.items.map { AdminAccount($0, app.settings) }, nextCursor: page.nextCursor)
        },
        AdminRoute(AdminAPI.createAccount, location: \.id) { request, _, body in
            let app = try request.app
            return AdminAccount(try await app.create(try AccountCreation(body)), app.settings)
        },
        AdminRoute(AdminAPI.getAccount) { request, _, _ in
            let app = try request.app
            return AdminAccount(try await app.details(of: request.account), app.settings)
        },
        AdminRoute(AdminAPI.updateAccount) { request, _, body in
            let app = try request.app
            return AdminAccount(try await app.update(request.account, try AccountUpdate(body)), app.settings)
        },
        AdminRoute(AdminAPI.deleteAccount) { request, _, _ in
            _ = try await request.app.delete(request.account)
            return AdminEmpty()
        },
        AdminRoute(AdminAPI.disableAccount) { request, _, _ in
            _ = try await request.app.setActive(false, request.account)
            return AdminEmpty()
        },
        AdminRoute(AdminAPI.enableAccount) { request, _, _ in
            _ = try await request.app.setActive(true, request.account)
            return AdminEmpty()
        },
        AdminRoute(AdminAPI.setPassword) { request, _, body in
            _ = try await request.app.setPassword(body.password, of: request.account)
            return AdminEmpty()
        },
        AdminRoute(AdminAPI.sendPasswordReset) { request, _, _ in
            try await request.app.sendPasswordReset(to: request.account)
            return AdminEmpty()
        },
        AdminRoute(AdminAPI.sendInvitation) { request, _, _ in
            try await request.app.invite(request.account)
            return AdminEmpty()
        },
        AdminRoute(AdminAPI.listIdentities) { request, query, _ in
            let identities = try await request.app.identities(of: request.account)
            return try request.page(identities.map { AdminIdentity($0) }, query)
        },
        AdminRoute(AdminAPI.removeIdentity) { request, _, _ in
            try await request.app.unlinkIdentity(request.value("identity"), of: request.account)
            return AdminEmpty()
        },
        AdminRoute(streaming: AdminAPI.exportAccount, isAuditedByEngine: true) { request in
            let app = try request.app
            return try await app.personalData(of: request.account).export(app.settings)
        },
    ]
}

extension AccountQuery {
    init(_ query: AdminAccountQuery) throws {
        let factor = try query.factor.map { text in
            guard let kind = [Factor.Kind.totp, .passkey].first(where: { $0.rawValue.utf8.elementsEqual(text.utf8) })
            else {
                throw AdminRefusal(
                    400, "invalid_request", errors: [AdminFieldError(pointer: "/factor", code: "not_supported")])
            }
            return kind
        }
        self.init(
            text: query.text, role: query.role, isActive: query.isActive, provider: query.provider, factor: factor,
            createdAfter: query.createdAfter, cursor: query.cursor, limit: query.pageLimit)
    }
}

extension AccountCreation {
    init(_ body: AdminAccountCreation) throws(AdminRefusal) {
        self.init()
        (email, username, phoneNumber, fullName) = (body.email, body.username, body.phoneNumber, body.fullName)
        isEmailVerified = body.isEmailVerified ?? false
        isPhoneNumberVerified = body.isPhoneNumberVerified
        (password, passwordHash) = (body.password, body.passwordHash)
        invites = body.sendsInvitation ?? false
        attributes = try body.attributes.attributeValues().compactMapValues(\.self)
    }
}

extension AccountUpdate {
    init(_ body: AdminAccountPatch) throws(AdminRefusal) {
        self.init()
        (email, username) = (PatchValue(body.email), PatchValue(body.username))
        (phoneNumber, fullName) = (PatchValue(body.phoneNumber), PatchValue(body.fullName))
        (isEmailVerified, isPhoneNumberVerified) = (body.isEmailVerified, body.isPhoneNumberVerified)
        isActive = body.isActive
        attributes = try body.attributes.attributeValues()
    }
}

extension [String: JSON]? {
    /// Returns the values of attributes by name; nil for null.
    ///
    /// - Throws: ``AdminRefusal`` that points at the values that no attribute has.
    fileprivate func attributeValues() throws(AdminRefusal) -> [String: AttributeValue?] {
        var (values, errors): ([String: AttributeValue?], [AdminFieldError]) = ([:], [])
        for (name, json) in self ?? [:] {
            let value = AttributeValue(json)
            if value == nil, json != .null {
                errors.append(AdminFieldError(path: ["attributes", name], code: FieldProblem.mistyped.code))
            }
            values.updateValue(value, forKey: name)
        }
        guard errors.isEmpty else {
            throw AdminRefusal(400, "invalid_request", errors: errors.sorted { $0.pointer < $1.pointer })
        }
        return values
    }
}

extension PatchValue {
    init(_ change: AdminChange<Value>) {
        switch change {
        case .keep: self = .unchanged
        case .remove: self = .removed
        case .set(let value): self = .replaced(value)
        }
    }
}

extension AdminAccount {
    init(_ details: AccountDetails, _ settings: AppSettings) {
        self.init()
        let account = details.account
        id = account.id.text
        app = account.app.text
        (email, isEmailVerified) = (account.email?.text, account.isEmailVerified)
        username = account.username?.verbatim
        (phoneNumber, isPhoneNumberVerified) = (
            account.phoneNumber?.e164, account.hasVerifiedPhoneNumber(under: settings.rules)
        )
        fullName = account.fullName?.text
        isActive = account.isActive
        hasPassword = account.passwordHash != nil
        attributes = settings.attributes.fitting(account.attributes).mapValues { JSON($0) }
        roles = account.assignments.map { AdminRoleAssignment($0.role, scope: $0.scope?.text) }
        providers = details.providers
        factors = details.factorKinds.map(\.rawValue)
        (createdAt, updatedAt, lastSignInAt) = (account.createdAt, details.updatedAt, details.lastSignInAt)
    }
}

extension AdminIdentity {
    init(_ identity: LinkedIdentity) {
        self.init()
        id = identity.id
        provider = identity.provider
        issuer = identity.issuer
        subject = identity.subject ?? ""
        email = identity.email?.text
        linkedAt = identity.linkedAt
    }
}

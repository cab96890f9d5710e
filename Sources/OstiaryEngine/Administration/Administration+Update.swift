public import OstiaryCore

extension Administration {
    /// Changes an account. Another identifier voids the account's reset tokens and the steps of sign-ins in progress; the
    /// previous email address is informed of a new one.
    ///
    /// - Throws: ``AdministrationProblem`` if a field is not acceptable, another account has one of the identifiers, the app has
    ///   no such account, or the profile is not the one that the update was made from.
    public func update(_ id: AccountID, _ update: AccountUpdate) async throws -> AccountDetails {
        let account = try await account(id)
        // Before the audit and for an update without an effect; the store decides it again.
        try update.expected?.require(EntityTag(profileOf: account))
        var change = AccountChange(isActive: update.isActive)
        var problems = FieldProblems()
        let fullName = problems.collect(
            try update.fullName.map { text throws(AdministrationProblem) in
                try parse("full_name", text) { (text) throws(FieldProblem) in try PersonName(text) }
            })
        switch fullName {
        case nil, .unchanged?: break
        case .removed?: change.removesFullName = true
        case .replaced(let name)?: change.fullName = name
        }
        if let attributes = problems.collect(try attributeChange(of: update)) { change.attributes = attributes }
        change.identifiers = identifiers(of: update, account, &problems)
        try problems.require()
        guard change != AccountChange() else {
            // The account is answered, which is a read.
            try await audit("users.update", id)
            return try await details(of: id)
        }
        if let email = account.email, let new = change.identifiers?.email, new.isChange,
            new.value?.canonical.utf8.elementsEqual(email.canonical.utf8) != true
        {
            try await countMail(to: email)
            change.identifiers?.notice = try await ports.notificationSealer.seal(
                .emailChanged, to: .email(email), app: app.name)
        }
        if let isActive = update.isActive { try await audit(isActive ? "users.enable" : "users.disable", id) }
        if change != AccountChange(isActive: update.isActive) {
            try await audit("users.update", id, details: ["fields": change.fieldNames])
        }
        change.expectedProfile = update.expected
        try await apply(change, to: account)
        if change.identifiers?.notice != nil { ports.notificationSealer.wake() }
        return try await details(of: id)
    }

    /// Applies a change that was audited.
    ///
    /// - Throws: ``AdministrationProblem``
    @discardableResult
    func apply(_ change: AccountChange, to account: Account) async throws -> Account {
        var change = change
        change.endsImpersonations = try await forbidsImpersonations(of: account, after: change)
        if change.isActive != nil || change.identifiers != nil {
            change.voidedLinks = engine.voidedLinks(of: account.id, at: now)
            let numbers = [account.phoneNumber, change.identifiers?.phoneNumber.value].compactMap(\.self)
            change.voidedCodes = numbers.map { engine.recipientKey($0.e164) }
        }
        do {
            return try await keepingHolder { role in
                change.keptRole = role
                guard let changed = try await ports.store.change(account.id, in: app.name, change, at: now) else {
                    throw noAccount(account.id.text)
                }
                return changed
            }
        } catch StoreRefusal.identifierTaken {
            throw try await collision(of: change.identifiers ?? IdentifierChange(), of: account)
        } catch StoreRefusal.attributesTooLarge {
            throw AdministrationProblem.attribute(change.attributes.tooLarge())
        } catch StoreRefusal.identifierMissing {
            throw AdministrationProblem.withoutIdentifier
        } catch StoreRefusal.lastWayIn {
            throw AdministrationProblem.conflict(
                "last_way_in", "the account \(account.id) has no other way in; set a password first")
        } catch StoreRefusal.overtaken {
            guard change.identifiers?.unlinking != nil else { throw AdministrationProblem.editConflict }
            throw AdministrationProblem.notFound("the account \(account.id) is not linked with that identity")
        }
    }

    private func attributeChange(of update: AccountUpdate) throws(AdministrationProblem) -> AttributeChange {
        var problems = FieldProblems()
        let texts: [String: AttributeValue?] =
            problems.collect(try app.attributes.values(of: update.attributeTexts)) ?? [:]
        let values = update.attributes.merging(texts) { _, text in text }
        let change = problems.collect(try app.attributes.validatedByAdministrator(values))
        try problems.require()
        return change ?? AttributeChange()
    }

    /// Returns the change of the identifiers that are acceptable; nil if there is none.
    ///
    /// - Parameter problems: The problems of the others are added to it.
    private func identifiers(
        of update: AccountUpdate, _ account: Account, _ problems: inout FieldProblems
    ) -> IdentifierChange? {
        var change = IdentifierChange()
        change.usernameUse = app.usernameUse(of: account)
        let email = problems.collect(
            try update.email.map { text throws(AdministrationProblem) in
                try parse("email", text) { (text) throws(FieldProblem) in try EmailAddress(text) }
            })
        if let email { change.email = email }
        let username = problems.collect(
            try update.username.map { text throws(AdministrationProblem) in
                // Without the spaces around it, which only imported usernames keep.
                try parse("username", text) { (text) throws(FieldProblem) in try Username(Username(text).text) }
            })
        if let username { change.username = username }
        // An account keeps an imported address that no new account may have.
        let newEmail = change.email.value == account.email ? nil : change.email.value
        problems.collect(try requireFit(newEmail, change.username.value, provider: account.provider))
        let phoneNumber = problems.collect(
            try update.phoneNumber.map { text throws(AdministrationProblem) in
                try parse("phone_number", text) { (text) throws(FieldProblem) in try PhoneNumber(text) }
            })
        if let phoneNumber { change.phoneNumber = phoneNumber }
        (change.isEmailVerified, change.isPhoneNumberVerified) = (
            update.isEmailVerified, update.isPhoneNumberVerified
        )
        // Of the texts: one that is not acceptable has its own problem.
        if change.isEmailVerified == true, update.email.applied(to: account.email?.text) == nil {
            problems.add(withoutValue("email"))
        }
        if change.isPhoneNumberVerified == true, update.phoneNumber.applied(to: account.phoneNumber?.e164) == nil {
            problems.add(withoutValue("phone_number"))
        }
        var unchanged = IdentifierChange()
        unchanged.usernameUse = change.usernameUse
        return change == unchanged ? nil : change
    }

    private func parse<Value>(
        _ field: String, _ text: String, as make: (String) throws(FieldProblem) -> Value
    ) throws(AdministrationProblem) -> Value {
        do { return try make(text) } catch { throw .invalid(field, error.code, "\(field): \(error.code)") }
    }

    /// Returns the reason why the store refused a change. Looked up afterwards, only for the message: the store decides.
    private func collision(of change: IdentifierChange, of account: Account) async throws -> AdministrationProblem {
        func owner(_ identifier: Identifier?) async throws -> Account? {
            guard let identifier else { return nil }
            let owner = try await ports.store.account(identifiedBy: identifier, in: app.name)
            return owner?.id == account.id ? nil : owner
        }
        if let number = change.phoneNumber.value, let other = try await owner(.phoneNumber(number)) {
            return Collision.phoneNumber(number, of: other).problem
        }
        if let username = change.username.value, let other = try await owner(.username(username)) {
            return Collision.username(username, of: other).problem
        }
        let email = change.email.applied(to: account.email)
        if let email, let name = try? Username(email.text), let other = try await owner(.username(name)) {
            return Collision.email(email, of: other).problem
        }
        return Collision.unknown.problem
    }
}

extension AppSettings {
    /// The way the username of an account signs in: a provider's is a label, except where usernames identify accounts.
    func usernameUse(of account: Account) -> NewAccount.UsernameUse {
        account.provider != "local" && rules.identifier != .username ? .label : .anySpelling
    }
}

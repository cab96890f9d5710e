public import OstiaryCore

extension Administration {
    /// The account attributes that the app declares.
    public var attributes: AttributeDefinitions { app.attributes }

    /// Changes the name and attributes of an account.
    ///
    /// - Parameters:
    ///   - fullName: The new name; nil leaves it unchanged.
    ///   - texts: New values of attributes, as ``OstiaryCore/AttributeDefinitions/values(of:)`` reads them.
    ///   - removed: The names of attributes that are removed.
    /// - Returns: The updated account.
    /// - Throws: ``AdministrationProblem`` for a value that is not acceptable, or if `who` names no account or several.
    public func changeProfile(
        of who: String, fullName: String?, attributes texts: [String: String], removing removed: [String]
    ) async throws -> Account {
        var update = AccountUpdate()
        if let fullName { update.fullName = .replaced(fullName) }
        update.attributes = try app.attributes.changes(setting: texts, removing: removed)
        return try await self.update(account(who).id, update).account
    }

    /// Creates an account with attributes that are given as texts.
    ///
    /// - Parameter texts: Values of attributes, as ``OstiaryCore/AttributeDefinitions/values(of:)`` reads them.
    /// - Throws: ``AdministrationProblem`` if the record, an attribute or the password is not acceptable, or another account
    ///   has one of its names.
    public func create(
        _ record: AccountRecord, attributes texts: [String: String], password: Secret<String>?
    ) async throws -> Account {
        var record = record
        record.attributes = try app.attributes.values(of: texts)
        return try await create(record, password: password)
    }
}

extension AttributeDefinitions {
    /// Returns the values of texts as a command line has them: a list is separated by commas, a Boolean is `true` or
    /// `false`.
    ///
    /// - Throws: `AdministrationProblem` for a name that is not declared, and for a text that is no value of its type.
    public func values(of texts: [String: String]) throws(AdministrationProblem) -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [:]
        var problems = FieldProblems()
        for (name, text) in texts.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            guard let definition = self[name] else {
                problems.add(.attribute(.invalidAttribute(Self.shown(name), .unknown)))
                continue
            }
            guard let value = definition.value(of: text) else {
                problems.add(.attribute(.invalidAttribute(name, .mistyped)))
                continue
            }
            values[name] = value
        }
        try problems.require()
        return values
    }

    /// Returns the changes of attributes as a command line has them; nil removes one.
    ///
    /// - Parameters:
    ///   - texts: New values, as ``values(of:)`` reads them.
    ///   - removed: The names of attributes that are removed.
    /// - Throws: `AdministrationProblem` as ``values(of:)``, and for an attribute that is both set and removed.
    public func changes(
        setting texts: [String: String], removing removed: [String]
    ) throws(AdministrationProblem) -> [String: AttributeValue?] {
        var changes: [String: AttributeValue?] = try values(of: texts)
        for name in removed {
            guard changes.updateValue(nil, forKey: name) == nil else {
                throw AdministrationProblem("attributes: one attribute is both set and removed")
            }
        }
        return changes
    }

    /// Checks values that an administrator writes.
    func validatedByAdministrator(
        _ values: [String: AttributeValue?]
    ) throws(AdministrationProblem) -> AttributeChange {
        do { return try validated(values, by: .admin) } catch {
            // Each value by itself, for the problems of all. Their size together is one of none of them.
            throw problems(of: values).refusal ?? .attribute(error)
        }
    }

    private func problems(of values: [String: AttributeValue?]) -> FieldProblems {
        var problems = FieldProblems()
        for (name, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            do { _ = try validated([name: value], by: .admin) } catch { problems.add(.attribute(error)) }
        }
        return problems
    }
}

extension AdministrationProblem {
    /// Creates the refusal of an attribute.
    static func attribute(_ error: AuthError) -> AdministrationProblem {
        guard case .invalidAttribute(let name, let problem) = error else {
            return .invalid("attributes", error.code, "attributes: \(error.code)")
        }
        return .invalid("attributes/\(name)", problem.code, "attributes: \(error.code)")
    }
}

extension AttributeDefinition {
    /// Returns the value of a text; nil for one that is none of the type.
    fileprivate func value(of text: String) -> AttributeValue? {
        switch type {
        case .string, .dateTime: .string(text)
        case .integer: Int(text).map { .integer($0) }
        case .number: Double(text).map { .number($0) }
        case .boolean:
            switch text {
            case "true": .boolean(true)
            case "false": .boolean(false)
            default: nil
            }
        case .stringList:
            .stringList(text.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) })
        }
    }
}

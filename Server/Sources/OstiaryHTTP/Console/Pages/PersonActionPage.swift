import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// `/admin/people/{app}/{id}/{action}`: names the person and what will happen, and asks for a confirmation or for values.
struct PersonActionPage: ConsoleFormPage {
    let person: ConsolePath.PersonReference
    let action: PersonAction

    var needsStepUp: Bool { action.needsStepUp }

    private var page: String { ConsolePath.person(person).path }

    /// The address of the page, with what the action is about.
    private func url(_ request: AdministratorRequest) -> String {
        ConsolePath.personAction(person, action).url(request.query.values(of: ["session", "factor", "identity"]))
    }

    // MARK: The page

    func view(_ request: AdministratorRequest, form: ConsoleForm?) async throws -> ConsoleView {
        let texts = request.texts
        let (administration, id) = try PersonPage.find(person, request)
        let details = try await administration.details(of: id)
        let account = details.account
        var view = request.view(
            texts.name(of: action), in: .people,
            above: [PersonPage.list(person, request), request.crumb(.person(person), account.displayName)])
        view.subject = ConsoleView.Subject(
            subjectLead: Phrase(before: texts.about, name: account.displayName), subjectBadges: [])
        var block = ConsoleView.Block("action", nil, note: texts.consequence(of: action))
        block.isNarrow = true
        block.facts = ConsoleView.Facts(entries: try await facts(account, administration, request))
        block.form = request.form(
            url(request), fields(details, administration.attributes, form, texts), shown: shown(account),
            button: texts.confirmation(of: action), isDangerous: action.isDangerous, cancel: page)
        view.blocks = [block]
        return view
    }

    /// Returns the tag of the present values, which the form shows; nil for a form that shows none.
    private func shown(_ account: Account) -> EntityTag? {
        switch action {
        case .edit: EntityTag(profileOf: account)
        case .roles: EntityTag(rolesOf: account)
        default: nil
        }
    }

    /// Returns what identifies the person, and what the action is about.
    private func facts(
        _ account: Account, _ administration: Administration, _ request: AdministratorRequest
    ) async throws -> [ConsoleView.Fact] {
        let texts = request.texts
        var facts = [
            ConsoleView.Fact(texts.app, account.app.text),
            ConsoleView.Fact(texts.accountID, .code("", account.id.text)),
        ]
        if let email = account.email { facts.append(ConsoleView.Fact(texts.email, email.text)) }
        if let username = account.username { facts.append(ConsoleView.Fact(texts.username, username.verbatim)) }
        if let number = account.phoneNumber { facts.append(ConsoleView.Fact(texts.phoneNumber, number.e164)) }
        switch action {
        case .endSession:
            let id = try Self.sessionID(request)
            guard let session = try await administration.sessions(of: account.id).first(where: { $0.id == id }) else {
                throw AdministrationProblem.notFound("no such session")
            }
            facts += [
                ConsoleView.Fact(texts.device, texts.name(of: UserAgentSummary(session.userAgent))),
                ConsoleView.Fact(texts.signedInAt, .time("", session.createdAt)),
            ]
        case .removeFactor:
            let id = try Self.factorID(request)
            guard let factor = try await administration.factors(of: account.id).factors.first(where: { $0.id == id })
            else { throw AdministrationProblem.notFound("no such factor") }
            facts.append(ConsoleView.Fact(texts.secondFactor, "\(factor.name) (\(texts.name(of: factor.kind)))"))
        case .unlinkIdentity:
            let id = try Self.identityID(request)
            guard
                let identity = try await administration.identities(of: account.id)
                    .first(where: { $0.id.utf8.elementsEqual(id.utf8) })
            else { throw AdministrationProblem.notFound("no such identity") }
            facts += [
                ConsoleView.Fact(texts.provider, identity.provider),
                ConsoleView.Fact(texts.providerSubject, identity.subject),
            ]
        default: break
        }
        return facts
    }

    private func fields(
        _ details: AccountDetails, _ attributes: AttributeDefinitions, _ form: ConsoleForm?, _ texts: any ConsoleTexts
    ) -> [ConsoleView.Field] {
        let account = details.account
        func text(_ name: String, _ label: String, _ now: String?, type: String = "text") -> ConsoleView.Field {
            .text(name, label, value: form.map { $0[name] ?? "" } ?? now ?? "", type: type)
        }
        switch action {
        case .edit:
            let own: [ConsoleView.Field] = [
                text("full_name", texts.fullName, account.fullName?.text),
                text("email", texts.email, account.email?.text, type: "email"),
                .check(
                    "email_verified", texts.emailIsVerified,
                    isChecked: form?.isChecked("email_verified") ?? account.isEmailVerified),
                text("username", texts.username, account.username?.verbatim),
                text("phone_number", texts.phoneNumber, account.phoneNumber?.e164, type: "tel"),
                .check(
                    "phone_number_verified", texts.phoneNumberIsVerified,
                    isChecked: form?.isChecked("phone_number_verified") ?? account.isPhoneNumberVerified ?? false),
            ]
            return own + fields(of: attributes, account, form, texts)
        case .roles:
            let now = account.assignments.map(\.text).joined(separator: "\n")
            return [
                .area(
                    "roles", texts.rolesTitle, value: form.map { $0["roles"] ?? "" } ?? now, rows: 6,
                    hint: texts.rolesHint)
            ]
        case .password:
            return [.text("password", texts.newPassword, type: "password", isRequired: true)]
        default: return []
        }
    }

    private func fields(
        of attributes: AttributeDefinitions, _ account: Account, _ form: ConsoleForm?, _ texts: any ConsoleTexts
    ) -> [ConsoleView.Field] {
        let kept = attributes.fitting(account.attributes)
        return attributes.all.map { attribute in
            let name = AdministrationProblem.attributePrefix + attribute.name
            return .text(
                name, attribute.name, value: form.map { $0[name] ?? "" } ?? kept[attribute.name]?.shown ?? "",
                hint: attribute.allowed?.joined(separator: ", ") ?? texts.name(of: attribute.type))
        }
    }

    // MARK: The action

    func perform(_ form: ConsoleForm, _ request: AdministratorRequest) async throws -> ServerResponse {
        let (administration, id) = try PersonPage.find(person, request)
        switch action {
        case .edit:
            let details = try await administration.details(of: id)
            var update = try update(form, of: details, administration.attributes)
            update.expected = form.shownValues
            _ = try await administration.update(id, update)
        case .roles:
            _ = try await administration.setRoles(
                of: id, RoleAssignment.read(form.lines(of: "roles")), expected: form.shownValues)
        case .disable: _ = try await administration.setActive(false, id)
        case .enable: _ = try await administration.setActive(true, id)
        case .password: _ = try await administration.setPassword(Secret(form.value(of: "password") ?? ""), of: id)
        case .passwordReset: try await administration.sendPasswordReset(to: id)
        case .invite: try await administration.invite(id)
        case .endSession: try await administration.revokeSession(Self.sessionID(request), of: id)
        case .endSessions: _ = try await administration.revokeAllSessions(of: id)
        case .removeFactor: try await administration.removeFactor(Self.factorID(request), of: id)
        case .resetFactors: _ = try await administration.resetFactors(of: id)
        case .unlinkIdentity: try await administration.unlinkIdentity(Self.identityID(request), of: id)
        case .export: return try await export(id, administration)
        case .delete:
            _ = try await administration.delete(id)
            return request.redirect(to: ConsolePath.people.url([("app", person.app)]), notice: action.rawValue)
        }
        return request.redirect(to: page, notice: action.rawValue)
    }

    /// Returns the fields that differ from the account's: an address that is written again would count as another one.
    private func update(
        _ form: ConsoleForm, of details: AccountDetails, _ attributes: AttributeDefinitions
    ) throws -> AccountUpdate {
        let account = details.account
        func patch(_ name: String, _ now: String?) throws -> PatchValue<String> {
            let new = try form.value(of: name)
            if let new, let now, new.utf8.elementsEqual(now.utf8) { return .unchanged }
            return new.map { .replaced($0) } ?? (now == nil ? .unchanged : .removed)
        }
        var update = AccountUpdate()
        update.email = try patch("email", account.email?.text)
        update.username = try patch("username", account.username?.verbatim)
        update.phoneNumber = try patch("phone_number", account.phoneNumber?.e164)
        update.fullName = try patch("full_name", account.fullName?.text)
        let (email, number) = (form.isChecked("email_verified"), form.isChecked("phone_number_verified"))
        if email != account.isEmailVerified { update.isEmailVerified = email }
        if number != (account.isPhoneNumberVerified ?? false) { update.isPhoneNumberVerified = number }
        let kept = attributes.fitting(account.attributes)
        for attribute in attributes.all {
            let new = try form.value(of: AdministrationProblem.attributePrefix + attribute.name)
            let now = kept[attribute.name]?.shown
            if let new, now.map({ !$0.utf8.elementsEqual(new.utf8) }) ?? true {
                update.attributeTexts[attribute.name] = new
            }
            if new == nil, now != nil { update.attributes[attribute.name] = .some(nil) }
        }
        return update
    }

    private static func sessionID(_ request: AdministratorRequest) throws -> SessionID {
        guard let id = request.query["session"].flatMap({ try? SessionID($0) }) else {
            throw AdministrationProblem.notFound("no such session")
        }
        return id
    }

    private static func factorID(_ request: AdministratorRequest) throws -> FactorID {
        guard let id = request.query["factor"].flatMap({ try? FactorID($0) }) else {
            throw AdministrationProblem.notFound("no such factor")
        }
        return id
    }

    private static func identityID(_ request: AdministratorRequest) throws -> String {
        guard let id = request.query["identity"] else { throw AdministrationProblem.notFound("no such identity") }
        return id
    }
}

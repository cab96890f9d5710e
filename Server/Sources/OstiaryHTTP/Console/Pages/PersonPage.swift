import Foundation
import OstiaryCore
import OstiaryEngine

/// `/admin/people/{app}/{id}`: everything about one account, and what can be done to it.
struct PersonPage: ConsolePage {
    let person: ConsolePath.PersonReference

    private static let timelineLength = 20

    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        let texts = request.texts
        let (administration, id) = try PersonPage.find(person, request)
        let details = try await administration.details(of: id)
        let account = details.account
        var view = request.view(account.displayName, in: .people, above: [Self.list(person, request)])
        var badges = [texts.badge(ofActive: account.isActive)]
        badges += account.roles.map { ConsoleView.Badge($0) }
        view.subject = ConsoleView.Subject(
            subjectLead: Phrase(before: texts.accountOf, name: person.app), subjectBadges: badges)
        view.blocks = [
            profile(details, administration, request), roles(account, request),
            try await sessions(administration.sessions(of: id), request),
            try await factors(administration.factors(of: id), request),
            try await identities(administration.identities(of: id), request),
            try await timeline(administration, id, request), dangers(account, request),
        ]
        return request.response(view)
    }

    /// Returns the administration of a person's app, and the person's id.
    ///
    /// - Throws: ``AdministrationProblem`` for an app that does not exist and for a text that is no id.
    static func find(
        _ person: ConsolePath.PersonReference, _ request: AdministratorRequest
    ) throws -> (administration: Administration, id: AccountID) {
        let administration = try request.administration.app(person.app)
        guard let id = try? AccountID(person.id) else { throw AdministrationProblem.notFound("no such account") }
        return (administration, id)
    }

    static func list(
        _ person: ConsolePath.PersonReference, _ request: AdministratorRequest
    ) -> ConsoleView.Trail.Crumb {
        ConsoleView.Trail.Crumb(
            crumbURL: ConsolePath.people.url([("app", person.app)]), crumbText: request.texts.title(of: .people))
    }

    private func link(
        _ action: PersonAction, _ request: AdministratorRequest, about thing: String? = nil,
        _ parameters: [(name: String, value: String?)] = []
    ) -> ConsoleView.ActionLink {
        let text = request.texts.name(of: action)
        return ConsoleView.ActionLink(
            actionURL: ConsolePath.personAction(person, action).url(parameters), actionText: text,
            actionName: thing.map { "\(text): \($0)" }, isDangerous: action.isDangerous)
    }

    // MARK: The account

    private func profile(
        _ details: AccountDetails, _ administration: Administration, _ request: AdministratorRequest
    ) -> ConsoleView.Block {
        let (texts, account) = (request.texts, details.account)
        var facts = [ConsoleView.Fact(texts.accountID, .code("", account.id.text))]
        if let email = account.email {
            facts.append(ConsoleView.Fact(texts.email, verified(email.text, account.isEmailVerified, texts)))
        }
        if let username = account.username { facts.append(ConsoleView.Fact(texts.username, username.verbatim)) }
        if let number = account.phoneNumber {
            facts.append(
                ConsoleView.Fact(texts.phoneNumber, verified(number.e164, account.isPhoneNumberVerified, texts)))
        }
        facts += [
            ConsoleView.Fact(texts.fullName, account.fullName?.text),
            ConsoleView.Fact(texts.password, account.passwordHash == nil ? texts.hasNoPassword : texts.hasPassword),
            ConsoleView.Fact(texts.createdAt, .time("", account.createdAt)),
            ConsoleView.Fact(texts.updatedAt, .time("", details.updatedAt)),
            ConsoleView.Fact(texts.lastSignInAt, .time("", details.lastSignInAt)),
        ]
        let attributes = administration.attributes
        let kept = attributes.fitting(account.attributes)
        facts += attributes.all.map { ConsoleView.Fact($0.name, kept[$0.name]?.shown) }
        var block = ConsoleView.Block("profile", texts.profile)
        block.facts = ConsoleView.Facts(entries: facts)
        var links = [link(.edit, request)]
        if account.email != nil { links.append(link(account.passwordHash == nil ? .invite : .passwordReset, request)) }
        links.append(link(.export, request))
        block.actions = ConsoleView.Actions(actionLinks: links)
        return block
    }

    /// - Parameter isVerified: Nil if it is not known whose the address is.
    private func verified(_ text: String, _ isVerified: Bool?, _ texts: any ConsoleTexts) -> ConsoleView.Cell {
        ConsoleView.Cell(
            cellText: text,
            cellBadges: isVerified.map { isVerified in
                [isVerified ? ConsoleView.Badge(texts.verified, .good) : ConsoleView.Badge(texts.notVerified, .waiting)]
            } ?? [])
    }

    private func roles(_ account: Account, _ request: AdministratorRequest) -> ConsoleView.Block {
        let texts = request.texts
        var block = ConsoleView.Block("roles", texts.rolesTitle)
        if account.assignments.isEmpty {
            block.empty = texts.noRoles
        } else {
            block.table = ConsoleView.Table(
                texts.rolesTitle, [texts.role, texts.scope],
                account.assignments.map { assignment in
                    [
                        ConsoleView.Cell.text(texts.role, assignment.role).asRowHeader,
                        .text(texts.scope, assignment.scope?.text ?? texts.everyScope),
                    ]
                })
        }
        block.actions = ConsoleView.Actions(actionLinks: [link(.roles, request)])
        return block
    }

    // MARK: Ways in

    private func sessions(_ sessions: [Session], _ request: AdministratorRequest) -> ConsoleView.Block {
        let texts = request.texts
        var block = ConsoleView.Block("sessions", texts.sessions)
        guard !sessions.isEmpty else {
            block.empty = texts.noSessions
            return block
        }
        block.table = ConsoleView.Table(
            texts.sessions,
            [texts.device, texts.address, texts.signedInAt, texts.lastUsedAt, texts.endsAt, texts.actionsTitle],
            sessions.map { row($0, request) })
        block.actions = ConsoleView.Actions(actionLinks: [link(.endSessions, request)])
        return block
    }

    private func row(_ session: Session, _ request: AdministratorRequest) -> [ConsoleView.Cell] {
        let texts = request.texts
        let device = texts.name(of: UserAgentSummary(session.userAgent))
        let note = session.actor.map(texts.by) ?? session.authentication.level.rawValue
        return [
            ConsoleView.Cell.text(texts.device, session.device?.platform ?? device, note: note).asRowHeader,
            .text(texts.address, session.address, note: session.country), .time(texts.signedInAt, session.createdAt),
            .time(texts.lastUsedAt, session.lastUsedAt), .time(texts.endsAt, min(session.idleEndsAt, session.endsAt)),
            .actions([link(.endSession, request, about: device, [("session", session.id.text)])]),
        ]
    }

    private func factors(_ enrolled: EnrolledFactors, _ request: AdministratorRequest) -> ConsoleView.Block {
        let texts = request.texts
        var block = ConsoleView.Block(
            "factors", texts.secondFactors,
            note: enrolled.factors.isEmpty ? nil : texts.recoveryCodes(left: enrolled.recoveryCodesLeft))
        guard !enrolled.factors.isEmpty else {
            block.empty = texts.noFactors
            return block
        }
        block.table = ConsoleView.Table(
            texts.secondFactors, [texts.nameTitle, texts.kind, texts.addedAt, texts.lastUsedAt, texts.actionsTitle],
            enrolled.factors.map { factor in
                [
                    ConsoleView.Cell.text(texts.nameTitle, factor.name).asRowHeader,
                    .text(texts.kind, texts.name(of: factor.kind)), .time(texts.addedAt, factor.createdAt),
                    .time(texts.lastUsedAt, factor.lastUsedAt),
                    .actions([link(.removeFactor, request, about: factor.name, [("factor", factor.id.text)])]),
                ]
            })
        block.actions = ConsoleView.Actions(actionLinks: [link(.resetFactors, request)])
        return block
    }

    private func identities(_ identities: [LinkedIdentity], _ request: AdministratorRequest) -> ConsoleView.Block {
        let texts = request.texts
        var block = ConsoleView.Block("identities", texts.identities)
        guard !identities.isEmpty else {
            block.empty = texts.noIdentities
            return block
        }
        block.table = ConsoleView.Table(
            texts.identities, [texts.provider, texts.providerSubject, texts.email, texts.linkedAt, texts.actionsTitle],
            identities.map { identity in
                [
                    ConsoleView.Cell.text(texts.provider, identity.provider, note: identity.issuer).asRowHeader,
                    .text(texts.providerSubject, identity.subject), .text(texts.email, identity.email?.text),
                    .time(texts.linkedAt, identity.linkedAt),
                    .actions([link(.unlinkIdentity, request, about: identity.provider, [("identity", identity.id)])]),
                ]
            })
        return block
    }

    // MARK: Timeline and dangers

    private func timeline(
        _ administration: Administration, _ id: AccountID, _ request: AdministratorRequest
    ) async throws -> ConsoleView.Block {
        let texts = request.texts
        let (page, _) = try await administration.auditEvents(of: id, limit: Self.timelineLength)
        var block = ConsoleView.Block("timeline", texts.timeline)
        guard !page.isEmpty else {
            block.empty = texts.noEvents
            return block
        }
        block.table = AuditPage.table(page, request, showsApp: false)
        block.actions = ConsoleView.Actions(
            actionLinks: [
                ConsoleView.ActionLink(
                    actionURL: ConsolePath.audit.url([("app", person.app), ("account", person.id)]),
                    actionText: texts.allEvents)
            ])
        return block
    }

    private func dangers(_ account: Account, _ request: AdministratorRequest) -> ConsoleView.Block {
        var block = ConsoleView.Block("dangers", request.texts.dangers, note: request.texts.dangersNote)
        let actions: [PersonAction] = [.password, account.isActive ? .disable : .enable, .delete]
        block.actions = ConsoleView.Actions(actionLinks: actions.map { link($0, request) })
        return block
    }
}

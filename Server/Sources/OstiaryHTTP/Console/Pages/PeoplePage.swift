import Foundation
import OstiaryCore
import OstiaryEngine

/// `/admin/people`: the accounts of an app, with a search and filters.
struct PeoplePage: ConsolePage {
    private static let pageSize = 50

    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        let texts = request.texts
        var view = request.view(texts.title(of: .people), in: .people)
        guard let first = request.administration.apps.first else { return request.response(view) }
        let app = (try? Self.app(request)) ?? first
        var block = ConsoleView.Block("people", nil)
        block.filter = filter(app, request)
        view.blocks = [block]
        do {
            let page = try await accounts(request)
            if !page.items.isEmpty { block.table = table(page.items, request) }
            // A search reads a bounded number of accounts at once: an empty page may have a following one.
            if page.items.isEmpty { block.empty = page.nextCursor == nil ? texts.noPeople : texts.noPeopleYet }
            block.pager = request.pager(
                .people, parameters: Self.filters + ["app"], next: page.nextCursor.map { ("cursor", $0) })
            block.actions = ConsoleView.Actions(
                actionLinks: [
                    ConsoleView.ActionLink(
                        actionURL: ConsolePath.newPerson.url([("app", app.name.text)]), actionText: texts.newPerson)
                ])
            view.blocks = [block]
            return request.response(view)
        } catch let problem as AdministrationProblem {
            return request.redisplay(view, problem)
        }
    }

    static let filters = ["q", "role", "active", "provider", "factor", "created_after"]

    /// Returns the app whose accounts the page shows: the one of the query, else the first of the server.
    ///
    /// - Returns: Nil for a server without apps.
    /// - Throws: ``AdministrationProblem`` for an app that the server does not have.
    static func app(_ request: AdministratorRequest) throws -> AdministeredApp? {
        try request.filteredApp() ?? request.administration.apps.first
    }

    private func accounts(_ request: AdministratorRequest) async throws -> AccountPage {
        guard let app = try Self.app(request) else { return AccountPage(items: [], nextCursor: nil) }
        let query = AccountQuery(
            text: try request.filter("q"), role: try request.filter("role"),
            isActive: try request.filter("active") { Bool($0) }, provider: try request.filter("provider"),
            factor: try request.filter("factor") { Factor.Kind(rawValue: $0) },
            createdAfter: try request.date("created_after"), cursor: try request.filter("cursor"), limit: Self.pageSize)
        return try await request.administration.app(app.name.text).accounts(query)
    }

    private func filter(_ app: AdministeredApp, _ request: AdministratorRequest) -> ConsoleView.Filter {
        let (texts, query) = (request.texts, request.query)
        let providers = Set(app.identitySources.map(\.kind)).union(["local"]).sorted()
        let isFiltered = Self.filters.contains { query[$0] != nil }
        return ConsoleView.Filter(
            filterAction: ConsolePath.people.path,
            filterFields: [
                request.appField(selected: app.name.text),
                .text("q", texts.search, value: query["q"] ?? "", type: "search", hint: texts.searchHint),
                .text("role", texts.role, value: query["role"] ?? ""),
                .choice(
                    "active", texts.state,
                    [("", texts.any), ("true", texts.active), ("false", texts.disabled)],
                    selected: query["active"] ?? ""),
                .choice("provider", texts.provider, any: texts.any, providers, selected: query["provider"] ?? "") {
                    ($0, $0)
                },
                .choice(
                    "factor", texts.secondFactor, any: texts.any, [Factor.Kind.totp, .passkey],
                    selected: query["factor"] ?? ""
                ) { ($0.rawValue, texts.name(of: $0)) },
                .text("created_after", texts.createdAfter, value: query["created_after"] ?? "", type: "date"),
            ], filterButton: texts.filter,
            resetURL: isFiltered ? ConsolePath.people.url([("app", app.name.text)]) : nil, resetText: texts.reset)
    }

    private func table(_ accounts: [AccountDetails], _ request: AdministratorRequest) -> ConsoleView.Table {
        let texts = request.texts
        return ConsoleView.Table(
            texts.title(of: .people),
            [texts.person, texts.state, texts.rolesTitle, texts.provider, texts.createdAt, texts.lastSignInAt],
            accounts.map { details in
                let account = details.account
                return [
                    ConsoleView.Cell.link(
                        texts.person, ConsolePath.person(ConsolePath.PersonReference(account)).path,
                        account.displayName, note: account.displayNote
                    ).asRowHeader,
                    .badges(texts.state, [texts.badge(ofActive: account.isActive)]),
                    .text(texts.rolesTitle, account.assignments.map(\.text).joined(separator: ", ")),
                    .text(texts.provider, account.provider), .time(texts.createdAt, account.createdAt),
                    .time(texts.lastSignInAt, details.lastSignInAt),
                ]
            })
    }
}

extension Account {
    /// The name by which lists show a person: the first of full name, email, username, phone number and id.
    var displayName: String {
        fullName?.text ?? email?.text ?? username?.verbatim ?? phoneNumber?.e164 ?? id.text
    }

    /// The identifier below the name; nil if the name is the only one.
    var displayNote: String? {
        let others = [email?.text, username?.verbatim, phoneNumber?.e164].compactMap(\.self)
        return fullName == nil ? others.dropFirst().first : others.first
    }
}

import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

/// A request to the console in an administrator's session.
struct AdministratorRequest {
    let page: ConsolePageRequest
    let session: ConsoleSession
    /// The session's token, as the browser presented it.
    let token: Secret<String>
    /// The operations on behalf of the administrator.
    let administration: ServerAdministration

    init(_ page: ConsolePageRequest, session: ConsoleSession, token: Secret<String>) {
        self.page = page
        self.session = session
        self.token = token
        administration = ServerAdministration(
            page.console.server, actor: .account(session.account.id), caller: page.caller)
    }

    /// The operations on event endpoints.
    var events: EventAdministration { administration.events }

    /// The operations on the messages of all apps.
    var messages: MessageAdministration? { administration.messages }

    var texts: any ConsoleTexts { page.texts }
    var query: ConsoleQuery { page.query }
    var now: Date { page.console.server.system.now() }

    /// Binds forms to the session: they stay valid while it lasts, in all its tabs.
    var formSecret: Secret<String> { Secret("console/\(session.session.id.text)") }

    var formToken: String { FormGuard.token(for: formSecret, keys: page.frame.keys) }

    // MARK: Pages

    /// Returns an empty page with the navigation.
    ///
    /// - Parameter section: The page that the navigation marks.
    func view(_ heading: String, in section: ConsolePath? = nil, above: [ConsoleView.Trail.Crumb] = []) -> ConsoleView {
        var view = page.view(heading)
        view.frame = ConsoleView.Frame(
            navigation: Self.sections.map { path in
                ConsoleView.Destination(
                    destinationURL: path.path, destinationText: texts.title(of: path), isCurrent: path == section)
            },
            signedInAs: session.account.fullName?.text ?? session.account.email?.text ?? session.account.id.text,
            accountURL: page.console.settings.providerOrigin + ProviderServer.PagePath.account.path,
            signOutURL: ConsolePath.signOut.path, signOutToken: formToken)
        view.trail = above.isEmpty ? nil : ConsoleView.Trail(crumbs: above)
        view.notice = query["done"].flatMap(texts.notice).map { ConsoleView.Notice(noticeText: $0, isProblem: false) }
        return view
    }

    private static let sections: [ConsolePath] = [
        .overview, .people, .roles, .audit, .messages, .events, .serviceKeys, .signingKeys, .configuration, .health,
    ]

    func crumb(_ path: ConsolePath, _ text: String? = nil) -> ConsoleView.Trail.Crumb {
        ConsoleView.Trail.Crumb(crumbURL: path.path, crumbText: text ?? texts.title(of: path))
    }

    func response(_ view: ConsoleView, status: Int = 200) -> ServerResponse { page.response(view, status: status) }

    /// Redirects the browser after a form, so that a reload does not send it again.
    ///
    /// - Parameter notice: The code of the sentence that the target shows; see ``ConsoleTexts/notice(_:)``.
    func redirect(to path: String, notice: String? = nil) -> ServerResponse {
        let target = notice.map { URLQuery.append([("done", $0)], to: path) } ?? path
        return ServerResponse(status: 303, headers: ["location": target])
    }

    // MARK: Forms

    /// Returns a form with the session's token.
    ///
    /// - Parameter shown: The tag of the present values, which the form shows; nil for a form that shows none.
    func form(
        _ action: String, _ fields: [ConsoleView.Field] = [], shown: EntityTag? = nil, button: String,
        isDangerous: Bool = false, cancel: String? = nil
    ) -> ConsoleView.Form {
        let hidden = [ConsoleView.Hidden(hiddenName: FormGuard.field, hiddenValue: formToken)]
        var form = ConsoleView.Form(
            formAction: action, formHidden: hidden, formFields: fields, formButton: button,
            isDangerousForm: isDangerous, cancelURL: cancel, cancelText: texts.cancel)
        if let shown { form.addShownValues(shown) }
        return form
    }

    /// Returns the page for a form that cannot be accepted.
    func refusal(of refusal: ConsoleForm.Refusal) -> ServerResponse {
        switch refusal {
        case .unreadable: page.outcome(texts.unreadableForm, status: 400, link: overviewLink)
        case .otherPage: page.outcome(texts.foreignForm, status: 403, link: overviewLink)
        }
    }

    private var overviewLink: ConsoleView.Link {
        ConsoleView.Link(linkURL: ConsolePath.overview.path, linkText: texts.title(of: .overview))
    }

    // MARK: Problems

    /// Returns the page for a refusal that no form shows.
    func response(to problem: AdministrationProblem) -> ServerResponse {
        var view = view(problem.reason == .notFound ? texts.notFound : texts.refused)
        view.notice = ConsoleView.Notice(noticeText: texts.text(of: problem), isProblem: true)
        return response(view, status: Self.status(of: problem))
    }

    static func status(of problem: AdministrationProblem) -> Int {
        switch problem.reason {
        case .invalid: 400
        case .notFound: 404
        case .conflict: 409
        case .forbidden: 403
        case .busy: 503
        }
    }

    /// Returns each problem of a refusal at the field that it is about, and above the form the one problem, or that there are
    /// several.
    func redisplay(_ view: ConsoleView, _ problem: AdministrationProblem) -> ServerResponse {
        var view = view
        view.title = "\(texts.problemPrefix) \(view.title)"
        let problems = problem.all
        var withoutField: [String] = []
        for problem in problems {
            let text = texts.text(of: problem)
            if !view.mark(problem.field, text) { withoutField.append(text) }
        }
        let notice = problems.count == 1 ? [texts.text(of: problem)] : [texts.problems(problems.count)] + withoutField
        view.notice = ConsoleView.Notice(noticeText: notice.joined(separator: " "), isProblem: true)
        return response(view, status: Self.status(of: problem))
    }
}

extension AdministrationProblem {
    /// The beginning of the names of fields that are attributes of the app.
    static let attributePrefix = "attributes."

    /// The name of the field that the problem is about; nil for none.
    var field: String? {
        guard let pointer else { return nil }
        let parts = pointer.utf8.dropFirst().split(separator: UInt8(ascii: "/"), maxSplits: 1)
        guard let first = parts.first else { return nil }
        let name = String(Substring(first))
        // An attribute has a field of its own; the lines of a list have one together.
        guard let second = parts.dropFirst().first, name + "." == Self.attributePrefix else { return name }
        return Self.attributePrefix + String(Substring(second))
    }
}

import OstiaryCore
import OstiaryEngine

/// All texts of the console in one language. A missing text is a compile error.
protocol ConsoleTexts: ConsoleFrameTexts, ConsolePeopleTexts, ConsoleActivityTexts, ConsoleOperationTexts {
    /// The texts of the provider's pages, which the console shares.
    var pages: any PageTexts { get }

    /// The title of a page, and its name in the navigation.
    func title(of page: ConsolePath) -> String
    /// The name of an action, as a link and as the heading of its page.
    func name(of action: PersonAction) -> String
    func name(of task: ConsoleTask) -> String
    /// Returns what an action does, for its confirmation; nil for an action whose form says it.
    func consequence(of action: PersonAction) -> String?
    func consequence(of task: ConsoleTask) -> String?
    /// The text of the button that confirms.
    func confirmation(of action: PersonAction) -> String
    func confirmation(of task: ConsoleTask) -> String
    /// Returns the sentence about a finished action, by the code that a redirect carries; nil for an unknown code.
    func notice(_ code: String) -> String?
    /// Returns what is wrong, and what to do next.
    func text(of problem: AdministrationProblem) -> String
    /// Returns what a field of a form takes; nil for an unknown field.
    func requirement(of field: String) -> String?
    /// Says that several fields of a form have a problem.
    func problems(_ count: Int) -> String
    /// Says that a field shows a value that was changed after its form was opened.
    var changedMeanwhile: String { get }
    /// Says that the value of a field, which shows another one, was changed after its form was opened.
    func changedTo(_ value: String) -> String
    /// Says that a checkbox of an outdated form is as it was.
    var choiceNotKept: String { get }

    func name(of type: AttributeType) -> String
    func name(of range: OverviewPage.Range) -> String
    func name(of state: Message.State) -> String
    func name(of state: EventDelivery.State) -> String
    func name(of state: EventEndpoint.State) -> String
    func name(of source: RoleDefinition.Source) -> String
    func days(_ count: Int) -> String
    func by(_ actor: String) -> String
    func answeredIn(milliseconds: Int) -> String
    func incident(_ incident: String) -> String

    // MARK: Signing in

    var signInTitle: String { get }
    var otherAccount: String { get }
    var signInOver: Outcome { get }
    var signInDeclined: Outcome { get }
    var secondFactorNeeded: Outcome { get }
    var noAdministrator: Outcome { get }
    var signedOut: Outcome { get }
    var unknownPage: Outcome { get }
    var unreadableForm: Outcome { get }
    var foreignForm: Outcome { get }
    func unavailable(incident: String?) -> Outcome
}

extension ConsoleTexts {
    var language: String { pages.language }
    var email: String { pages.email }
    var fullName: String { pages.fullName }
    var password: String { pages.password }
    var newPassword: String { pages.newPassword }
    var secondFactors: String { pages.secondFactors }
    func name(of device: UserAgentSummary) -> String { pages.device(device) }
    func recoveryCodes(left: Int) -> String { pages.recoveryCodes(left: left) }

    func name(of kind: Factor.Kind) -> String {
        switch kind {
        case .totp: pages.name(of: .totp)
        case .passkey: pages.name(of: .passkey)
        }
    }

    var words: ConsoleView.Words {
        ConsoleView.Words(
            skipToContent: skipToContent, menu: menu, sections: sections, account: account, signOut: signOut,
            pages: pagesTitle, breadcrumb: breadcrumb, chartAsTable: chartAsTable)
    }

    var signInLink: ConsoleView.Link { ConsoleView.Link(linkURL: ConsolePath.signIn.path, linkText: signInTitle) }
    var otherAccountLink: ConsoleView.Link {
        ConsoleView.Link(linkURL: ConsolePath.signIn.url([("again", "1")]), linkText: otherAccount)
    }

    // MARK: Badges

    func badge(ofActive isActive: Bool) -> ConsoleView.Badge {
        isActive ? ConsoleView.Badge(active, .good) : ConsoleView.Badge(disabled, .bad)
    }

    func badge(of state: Message.State) -> ConsoleView.Badge {
        switch state {
        case .queued: ConsoleView.Badge(name(of: state), .waiting)
        case .sent: ConsoleView.Badge(name(of: state), .good)
        case .failed: ConsoleView.Badge(name(of: state), .bad)
        }
    }

    func badge(of state: EventDelivery.State) -> ConsoleView.Badge {
        switch state {
        case .pending: ConsoleView.Badge(name(of: state), .waiting)
        case .delivered: ConsoleView.Badge(name(of: state), .good)
        case .failed: ConsoleView.Badge(name(of: state), .bad)
        }
    }

    func badge(of state: EventEndpoint.State) -> ConsoleView.Badge {
        switch state {
        case .enabled: ConsoleView.Badge(name(of: state), .good)
        case .disabled: ConsoleView.Badge(name(of: state), .bad)
        }
    }
}

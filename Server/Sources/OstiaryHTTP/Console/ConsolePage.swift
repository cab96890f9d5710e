/// A page of the console for a signed-in administrator.
protocol ConsolePage: Sendable {
    /// `true` if the page asks for a recent authentication with two factors.
    var needsStepUp: Bool { get }

    func show(_ request: AdministratorRequest) async throws -> ServerResponse

    /// Performs what the page's form asks for.
    func take(_ form: ConsoleForm, _ request: AdministratorRequest) async throws -> ServerResponse
}

extension ConsolePage {
    var needsStepUp: Bool { false }

    /// A page without a form of its own.
    func take(_ form: ConsoleForm, _ request: AdministratorRequest) async throws -> ServerResponse {
        try await show(request)
    }
}

extension ConsolePath {
    /// The page at the path; nil for the paths of the sign-in.
    var page: (any ConsolePage)? {
        switch self {
        case .overview: OverviewPage()
        case .people: PeoplePage()
        case .newPerson: NewPersonPage()
        case .person(let person): PersonPage(person: person)
        case .personAction(let person, let action): PersonActionPage(person: person, action: action)
        case .audit: AuditPage()
        case .messages: MessagesPage()
        case .events: EventsPage()
        case .roles: RolesPage()
        case .serviceKeys: ServiceKeysPage()
        case .signingKeys: SigningKeysPage()
        case .configuration: ConfigurationPage()
        case .health: HealthPage()
        case .task(let task): task.page
        case .signOut: SignOutPage()
        case .signIn, .callback: nil
        }
    }
}

/// The target of the button that signs out; the console itself takes its form.
struct SignOutPage: ConsolePage {
    func show(_ request: AdministratorRequest) async throws -> ServerResponse {
        request.redirect(to: ConsolePath.overview.path)
    }
}

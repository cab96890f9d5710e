import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider
import OstiaryServerPaths

/// The home page of a server in development mode: its apps with their endpoints, and requests to try.
struct HomePage {
    let application: ServerApplication
    /// The Host header, which determines the loopback name in the URLs of the page.
    let authority: String?

    static let path = "/"

    func response() -> ServerResponse {
        var view = PageView(
            language: "en", title: "Ostiary development server", styleSheet: StyleSheet.path, brand: "Ostiary",
            initial: "O", heading: "Development server")
        view.paragraphs = [
            "Development mode shows messages in the inbox instead of sending them. Do not use it in production."
        ]
        view.home = PageView.Home(
            attempts: Array(attempts.prefix(3)),
            groups: [
                PageView.Home.Group(groupHeading: "Sign in with the browser", entries: signIns),
                PageView.Home.Group(groupHeading: "Server", entries: services),
            ].filter { !$0.entries.isEmpty }, apps: mounts.map(app))
        view.hasScript = false
        view.isWide = true
        return view.response(status: 200, policy: PagePolicy(hasScript: false, hasForms: false))
    }

    /// The apps in the order of their names: the application's order is that of its routing.
    private var mounts: [ServerApplication.AppMount] { application.mounts.sorted { $0.name.text < $1.name.text } }

    private func baseURL(_ mount: ServerApplication.AppMount) -> String { mount.baseURL(authority: authority) }

    // MARK: Apps

    private func app(_ mount: ServerApplication.AppMount) -> PageView.Home.App {
        let contract = mount.app.codec.contract
        let base = baseURL(mount)
        var documents = [entry(base + AppServer.Endpoint.openAPI.rawValue, "OpenAPI description")]
        if contract.rules.accessTokenSigning == .es256 {
            documents.append(entry(base + AppServer.Endpoint.keys.rawValue, "Public keys"))
        }
        return PageView.Home.App(
            appName: mount.name.text, contractName: contract.name, credentials: Self.credentials(contract),
            appURL: base, documents: documents,
            endpoints: contract.operations.map { kind, endpoint in
                PageView.Home.Endpoint(
                    method: endpoint.method.rawValue, endpointPath: mount.base + contract.prefix + endpoint.path,
                    operation: kind.rawValue)
            })
    }

    private static func credentials(_ contract: Contract) -> String {
        switch contract.rules.identifier {
        case .email: "email and password"
        case .username: "username or email, and password"
        case .phoneNumber: "phone number and password"
        case .subject: "the browser"
        }
    }

    // MARK: Links

    private var signIns: [PageView.Home.Entry] {
        let apps = mounts.compactMap { mount in
            browserSignIn(mount).map {
                entry($0, mount.name.text, "The sign-in ends at the redirect URI, which only the app opens.")
            }
        }
        guard let provider = application.provider?.provider else { return apps }
        // At the address of the passkeys, if there is one: a browser accepts none for an IP address.
        let origin = provider.engine.app.passkeys?.origins.first ?? ""
        return apps + [
            entry(
                origin + ProviderServer.PagePath.account.path, "Built-in OpenID provider",
                "The account page of the browser's session.")
        ]
    }

    /// Returns the URL that begins an app's sign-in in the browser; nil for an app without one.
    private func browserSignIn(_ mount: ServerApplication.AppMount) -> String? {
        let engine = mount.app.engine
        guard !engine.ports.identities.providers.isEmpty, let uri = engine.app.redirectURIs.first,
            let request = try? mount.app.codec.write(BeginBrowserSignIn(redirectURI: uri))
        else { return nil }
        return "\(baseURL(mount))\(request.path)?\(request.query)"
    }

    private var services: [PageView.Home.Entry] {
        [
            entry(ServerPath.inbox.rawValue, "Inbox", "Mails and text messages that the server would have sent."),
            entry(ServerPath.liveness.rawValue, "Health", "Answers while the process runs."),
            entry(ServerPath.readiness.rawValue, "Readiness", "Answers while the store can be used."),
        ]
            + (application.showsMetrics
                ? [entry(ServerPath.metrics.rawValue, "Metrics", "In the format of Prometheus.")] : [])
    }

    private func entry(_ url: String, _ label: String, _ note: String = "") -> PageView.Home.Entry {
        PageView.Home.Entry(entryURL: PageView.safe(url), entryLabel: label, entryNote: note)
    }

    // MARK: Requests to try

    /// The suggestions that the apps allow, the most instructive first: at least three.
    private var attempts: [PageView.Home.Attempt] {
        let inbox = entry(ServerPath.inbox.rawValue, "Open the inbox")
        var attempts: [PageView.Home.Attempt] = []
        if let (mount, command) = firstCommand(where: { !$0.registersWithCode }, registration) {
            attempts.append(.init(attemptText: "Register an account of \(mount.name).", command: command))
        }
        if let (mount, command) = firstCommand(passwordReset) {
            attempts.append(
                .init(attemptText: "Ask \(mount.name) for a new password.", command: command, target: inbox))
        }
        if let signIn = signIns.first {
            attempts.append(.init(attemptText: "Sign in with the browser.", target: entry(signIn.entryURL, "Sign in")))
        }
        if let (mount, command) = firstCommand({ _ in RequestCode.example }) {
            attempts.append(
                .init(attemptText: "Ask \(mount.name) for a code by text message.", command: command, target: inbox))
        }
        if let mount = mounts.first {
            let url = baseURL(mount) + AppServer.Endpoint.openAPI.rawValue
            attempts.append(
                .init(
                    attemptText: "Read the description of \(mount.name).",
                    target: entry(url, "Open the OpenAPI description")))
        }
        attempts.append(
            .init(attemptText: "See the messages that were sent.", target: inbox))
        attempts.append(
            .init(
                attemptText: "Ask for the server's health.",
                target: entry(ServerPath.liveness.rawValue, "Open the health endpoint")))
        return attempts
    }

    private func registration(_ rules: AppRules) -> Register? {
        guard let email = try? EmailAddress(Self.email) else { return nil }
        return Register(
            email: email, username: rules.identifier == .username ? try? Username("ann") : nil,
            password: Secret(Self.password))
    }

    private func passwordReset(_ rules: AppRules) -> RequestPasswordReset? {
        (try? EmailAddress(Self.email)).map(RequestPasswordReset.init(email:))
    }

    /// Returns the first app whose contract has an operation, and the command that sends it.
    private func firstCommand<Operation: AuthOperation>(
        where isSuitable: (AppRules) -> Bool = { _ in true }, _ operation: (AppRules) -> Operation?
    ) -> (ServerApplication.AppMount, String)? {
        for mount in mounts {
            let codec = mount.app.codec
            guard isSuitable(codec.contract.rules), let operation = operation(codec.contract.rules),
                let request = try? codec.write(operation)
            else { continue }
            return (mount, command(request, baseURL(mount)))
        }
        return nil
    }

    private func command(_ request: WireRequest, _ base: String) -> String {
        let body = String(decoding: request.body, as: UTF8.self)
        return """
            curl \(Self.quoted(base + request.path)) -H 'Content-Type: application/json' \\
              -d \(Self.quoted(body))
            """
    }

    /// Returns the text as one word of a shell. Source: POSIX.1-2024, Shell Command Language §2.2.2.
    static func quoted(_ text: String) -> String {
        var word = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" { word += #"'\''"# } else { word.unicodeScalars.append(scalar) }
        }
        return word + "'"
    }

    private static let email = "ann@example.com"
    private static let password = "correct horse battery"
}

extension RequestCode {
    fileprivate static var example: RequestCode? {
        (try? PhoneNumber("+15551234567")).map(RequestCode.init(phoneNumber:))
    }
}

extension ServerApplication {
    /// `true` if `/` shows the home page: in development mode, unless an app has an endpoint there.
    package func showsHomePage(authority: String?) -> Bool {
        guard inbox != nil else { return false }
        guard let (mount, path) = mount(authority: authority, path: HomePage.path) else { return true }
        let contract = mount.app.codec.contract
        return !contract.operations.contains { contract.prefix + $0.endpoint.path == path }
    }
}

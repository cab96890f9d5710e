import ArgumentParser
import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The command `ostiary login`.
struct Login: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Signs in to an app, as its client does, and stores the session.",
        discussion: """
            With --register, registers the account first, and prompts for a code where the contract requires one.

            Contracts without passwords sign in through the browser, which is redirected to a port of this machine if
            the app's redirect_uris have http://127.0.0.1/callback. Otherwise, and with --provider, the command prompts
            for the address that the browser was redirected to.

            Examples:
              ostiary login --server http://127.0.0.1:3001/vici --contract vici --identifier ann@example.com
              ostiary login --server http://127.0.0.1:3001/timetracker --contract timetracker
              ostiary login --server http://127.0.0.1:3001/viewvault --contract viewvault --provider google
            """)

    @OptionGroup var client: ClientOptions

    @Option(
        help: ArgumentHelp(
            "Email, username or phone number, as the contract requires. Prompted for if omitted.", valueName: "who"))
    var identifier: String?

    @Flag(help: "Read the password from standard input.") var passwordStdin = false

    @Flag(help: "Register the account first.") var register = false

    @Flag(help: "Sign in through the browser. Implied by contracts without passwords.") var browser = false

    @Option(help: ArgumentHelp("The identity provider to sign in at, in the browser.", valueName: "name"))
    var provider: String?

    @Option(
        help: ArgumentHelp(
            "The redirect URI of the app's browser sign-ins. Default: the contract's.", valueName: "uri"))
    var redirectURI: String?

    @Flag(help: "Print the address for the browser, and do not open it.") var noOpen = false

    @Flag(
        help: """
            Do not bind the sign-in to this process by app_challenge and app_verifier: for backends that refuse parameters \
            they do not know.
            """)
    var noDeviceBinding = false

    func run() async throws {
        let client = try self.client.client(usesUnsaved: true, bindsBrowserSignIns: !noDeviceBinding)
        let inBrowser = !client.offers(.signIn) || browser || provider != nil
        if inBrowser { try checkBrowserOptions(client) }
        let session = try await client.run {
            try await readStore(client)
            let session = try await inBrowser ? signInWithBrowser(client) : signInWithPassword(client)
            // A session that could not be stored is ended.
            if let problem = client.store.problem {
                _ = try? await client.auth.signOut()
                throw ClientError.store(problem)
            }
            return session
        }
        try self.client.remember()
        // Without account data, the session's label is the provider's, not the person's name.
        let account = inBrowser && session.user == nil ? "" : session.label
        try printResult(account.isEmpty ? "signed in" : "signed in as \(TerminalText.escaped(account))")
    }

    /// Reads the store before the person types a password: where no session can be kept, none is begun.
    private func readStore(_ client: CommandClient) async throws {
        do { _ = try await client.auth.savedAccounts() } catch {
            guard case .store(.damaged) = error else { throw error }
        }
        // The damaged file has been set aside, so the login can continue.
        if let damage = client.store.damage { printError(damage.description) }
    }

    private func checkBrowserOptions(_ client: CommandClient) throws {
        guard identifier == nil, !passwordStdin, !register else {
            throw ValidationError(
                "--identifier, --password-stdin and --register are for passwords, not for the browser")
        }
        guard provider == nil, !client.offers(.beginBrowserSignIn), client.offers(.beginSocialSignIn) else { return }
        let known = client.auth.contract.socialProviders
        throw ValidationError(
            "--provider is needed" + (known.isEmpty ? "" : ", one of \(known.joined(separator: ", "))"))
    }

    private func signInWithBrowser(_ client: CommandClient) async throws -> SessionSnapshot {
        let signIn = BrowserSignIn(
            client: client, provider: provider, redirectURI: redirectURI, browser: Browser(opens: !noOpen))
        return try await signIn.session()
    }

    // MARK: Password

    private func signInWithPassword(_ client: CommandClient) async throws -> SessionSnapshot {
        var who = identifier ?? ""
        if identifier == nil { who = try await Self.ask(client.identifierName) }
        return try await register ? makeAccount(who, client) : signIn(who, client)
    }

    private func password(_ ask: @escaping @Sendable () throws -> Secret<String>?) async throws -> String {
        let typed = try await blocking { [passwordStdin] in
            passwordStdin ? try PasswordPrompt.readStandardInput() : try ask()
        }
        guard let password = typed else {
            throw AdministrationProblem("no password was typed")
        }
        return password.reveal()
    }

    private func signIn(_ who: String, _ client: CommandClient) async throws -> SessionSnapshot {
        let identifier = try client.identifier(who)
        let password = try await password { try PasswordPrompt.ask("Password") }
        switch identifier {
        case .email: return try await client.auth.signIn(email: who, password: password, rememberMe: true)
        case .phoneNumber: return try await client.auth.signIn(phoneNumber: who, password: password)
        case .username: return try await client.auth.signIn(username: who, password: password)
        }
    }

    private func makeAccount(_ who: String, _ client: CommandClient) async throws -> SessionSnapshot {
        let auth = client.auth
        func newPassword() async throws -> String {
            try await password { try PasswordPrompt.askTwice("Password") }
        }
        switch try client.identifier(who) {
        case .email:
            return try await auth.register(email: who, password: try await newPassword(), rememberMe: true)
        case .phoneNumber:
            let code = try await auth.requestCode(for: who)
            let digits = try await Self.ask("The code that was sent")
            guard (try? OneTimeCode(digits)) != nil else { throw AdministrationProblem("a code is made of digits") }
            return try await auth.register(code: code, digits: digits, password: try await newPassword())
        case .username:
            let email = try await email(of: who, client)
            return try await auth.register(username: who, email: email, password: try await newPassword())
        }
    }

    /// Returns the email for a registration with a username: the username itself, if it is an email address.
    private func email(of who: String, _ client: CommandClient) async throws -> String? {
        if (try? EmailAddress(who)) != nil { return who }
        guard client.takes(.email, in: .register).contains(.required(.email)) else { return nil }
        guard let email = try? await Self.ask("Email"), (try? EmailAddress(email)) != nil else {
            throw AdministrationProblem("email: not valid")
        }
        return email
    }

    private static func ask(_ question: String) async throws -> String {
        prompt("\(question): ")
        guard let line = try await blocking({ readLine() }), !line.isEmpty else {
            throw AdministrationProblem("nothing was typed")
        }
        return line
    }
}

import ArgumentParser
import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// `ostiary login`
struct Login: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login", abstract: "Signs in to an app, as its client does, and keeps the session.",
        discussion: """
            With --register, makes the account first; where the contract asks for a code, the code is asked for.

            Contracts without passwords sign in through the browser, which comes back to a port of this machine if the app's
            redirect_uris have http://127.0.0.1/callback. Otherwise, and with --provider, the address that the browser ended
            at is asked for.

            Examples:
              ostiary login --server http://127.0.0.1:3001/vici --contract vici --identifier ann@example.com
              ostiary login --server http://127.0.0.1:3001/timetracker --contract timetracker
              ostiary login --server http://127.0.0.1:3001/viewvault --contract viewvault --provider google
            """)

    @OptionGroup var client: ClientOptions

    @Option(
        help: ArgumentHelp(
            "Email, username or phone number, as the contract asks. Asked for if left out.", valueName: "who"))
    var identifier: String?

    @Flag(help: "Read the password from standard input.") var passwordStdin = false

    @Flag(help: "Make the account.") var register = false

    @Flag(help: "Sign in through the browser. Implied by contracts without passwords.") var browser = false

    @Option(help: ArgumentHelp("The identity provider to sign in at, in the browser.", valueName: "name"))
    var provider: String?

    @Option(
        help: ArgumentHelp(
            "Where the app's browser sign-ins end. Default: what the contract says.", valueName: "uri"))
    var redirectURI: String?

    @Flag(help: "Print the address for the browser, and do not open it.") var noOpen = false

    @Flag(
        help: """
            Do not bind the sign-in to this process by app_challenge and app_verifier: for backends that refuse parameters \
            they do not know.
            """)
    var noDeviceBinding = false

    func run() async throws {
        let session = try client.session()
        do {
            try await session.takesPasswords && !browser && provider == nil
                ? beginWithPassword(session) : beginInBrowser(session)
        } catch let failure as SessionFailure {
            throw report(failure, of: session)
        } catch let problem as BrowserCallbackProblem {
            printError(TerminalText.escaped(problem.description))
            throw ExitCode.failure
        } catch let problem as AdministrationProblem {
            printError(problem.description)
            throw ExitCode.failure
        }
        client.remember()
        let account = try await session.stored()?.account ?? ""
        printLine(account.isEmpty ? "signed in" : "signed in as \(TerminalText.escaped(account))")
    }

    private func beginWithPassword(_ session: SavedSession) async throws {
        let who = try identifier ?? Self.ask(session.identifierName)
        let signedIn = register ? try await makeAccount(who, session) : try await signIn(who, session)
        try await session.begin(signedIn, account: who)
    }

    private func beginInBrowser(_ session: SavedSession) async throws {
        guard identifier == nil, !passwordStdin, !register else {
            throw ValidationError(
                "--identifier, --password-stdin and --register are for passwords, not for the browser")
        }
        let signIn = BrowserSignIn(
            session: session, provider: provider,
            redirectURIs: redirectURI.map { [$0] } ?? session.contract.redirectURIs, bindsDevice: !noDeviceBinding,
            browser: Browser(opens: !noOpen))
        let signedIn = try await signIn.signedIn()
        try await session.begin(signedIn, account: "")
    }

    private func password(_ ask: () throws -> Secret<String>?) throws -> Secret<String> {
        guard let password = passwordStdin ? try PasswordPrompt.readStandardInput() : try ask() else {
            throw AdministrationProblem("no password was typed")
        }
        return password
    }

    private func signIn(_ who: String, _ session: SavedSession) async throws -> SignedIn {
        let identifier = try session.identifier(who)
        let password = try password { try PasswordPrompt.ask("Password") }
        return try await session.call(SignIn(identifier: identifier, password: password, rememberMe: true))
    }

    private func makeAccount(_ who: String, _ session: SavedSession) async throws -> SignedIn {
        var call = Register(password: Secret(""))
        call.rememberMe = true
        switch try session.identifier(who) {
        case .email(let email): call.email = email
        case .phoneNumber(let number): call.phoneNumber = number
        case .username(let username):
            call.username = username
            let takes = session.auth.codec.endpoint(for: .register)?.takes ?? []
            if let email = try? EmailAddress(who) {
                call.email = email
            } else if takes.contains(.required(.email)) {
                guard let email = try? EmailAddress(Self.ask("Email")) else {
                    throw AdministrationProblem("email: not valid")
                }
                call.email = email
            }
        }
        if let number = call.phoneNumber, session.contract.rules.registersWithCode {
            _ = try await session.call(RequestCode(phoneNumber: number))
            let text = try Self.ask("The code that was sent")
            guard let code = try? OneTimeCode(text) else { throw AdministrationProblem("a code is made of digits") }
            call.code = code
        }
        call.password = try password { try PasswordPrompt.askTwice("Password") }
        return try await session.call(call)
    }

    private static func ask(_ question: String) throws -> String {
        prompt("\(question): ")
        guard let line = readLine(), !line.isEmpty else { throw AdministrationProblem("nothing was typed") }
        return line
    }
}

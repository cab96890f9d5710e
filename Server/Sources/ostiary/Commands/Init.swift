import ArgumentParser
import Foundation
import OstiaryConfiguration
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The command `ostiary init`.
struct Init: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Writes the configuration of a new server in production, with its secrets.",
        discussion: """
            Writes `ostiary.yaml` and `environment`, which holds the secrets, and replaces neither. Asks for the domain, the \
            apps and the mail server if no option gives them, and there is a terminal. Prints what a proxy that ends TLS needs. An app whose accounts \
            are a provider's uses the built-in one.

            Example:
              ostiary init --domain auth.example.com --app vici --mail smtps://user:password@mail.example.com:465
              ostiary init --domain auth.example.com --app shop=barqnet --directory . --store postgres://ostiary@db/ostiary
            """)

    @Option(help: ArgumentHelp("The name of the host that apps connect to.", valueName: "name")) var domain: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "An app and its contract, a preset or the path of a JSON file. May be repeated.", valueName: "name=contract"
        ))
    var app: [String] = []

    @Option(help: ArgumentHelp("sqlite:PATH, or the URL of a PostgreSQL database.", valueName: "store"))
    var store = "sqlite:/var/lib/ostiary/ostiary.db"

    @Option(
        help: ArgumentHelp(
            "The URL of the mail server, with user and password. In a list of processes others can read it: the "
                + "question and \(Self.mailVariable) keep it from there.", valueName: "url"))
    var mail: String?

    @Option(help: ArgumentHelp("The sender of mails. Default: no-reply of the domain.", valueName: "address"))
    var from: String?

    @Option(
        help: ArgumentHelp(
            "The URL to which text messages are posted, for apps that send codes; see `sms` in the configuration.",
            valueName: "url"))
    var sms: String?

    @Option(help: ArgumentHelp("The directory of the two files.", valueName: "dir")) var directory = "/etc/ostiary"

    private static let mailVariable = "MAIL_URL"

    func run() async throws {
        try await StoreOptions.exiting {
            let first = try answered()
            let (text, variables) = (try first.text(), try first.variables(.system))
            try check(text, variables)
            let (yaml, environment) = ("\(directory)/ostiary.yaml", "\(directory)/environment")
            // The service's user reads the first; the service manager alone reads the second.
            let files = (try PrivateFile(path: yaml, mode: 0o644), try PrivateFile(path: environment))
            try files.0.write(text)
            // In quotes, which a shell and the service manager read alike. A URL has %27 for a quote of its own.
            try files.1.write(
                variables.map { "\($0.name)='\($0.value.reveal().replacing("'", with: "%27"))'\n" }.joined())
            try files.1.publish()
            try files.0.publish()
            try printResult(
                """
                \(yaml) and \(environment) are written. Keep a copy of the second: without its keys the database cannot be read.

                nginx, for the certificate of \(first.domain):

                \(ProxyExample.nginx(first.domain))

                Caddy, which gets a certificate itself:

                \(ProxyExample.caddy(first.domain))
                """)
        }
    }

    /// Returns the configuration of the options, and of the answers to what they leave open.
    private func answered() throws -> FirstConfiguration {
        let text = try domain ?? Self.ask("Name of the host, for example auth.example.com", option: "--domain")
        guard let domain = HostName(text)?.text else {
            throw AdministrationProblem(
                "--domain needs a host name without scheme and port, for example auth.example.com")
        }
        var names = app
        if names.isEmpty {
            let presets = Contract.presets.map(\.name).joined(separator: ", ")
            names = try Self.ask(
                "Apps, as name=contract with a space between them; contracts are \(presets)", option: "--app"
            )
            .split(separator: " ").map(String.init)
        }
        let apps = try names.map { text in
            guard let app = FirstConfiguration.NewApp(text) else {
                throw AdministrationProblem(
                    "--app needs name=contract, the name of lower-case letters, digits, - and _")
            }
            return app
        }
        var mail = mail ?? ProcessInfo.processInfo.environment[Self.mailVariable]
        if mail == nil, PasswordPrompt.canAsk {
            let url = try PasswordPrompt.ask("URL of the mail server, smtps://user:password@host:465, or nothing")
            mail = url.reveal().isEmpty ? nil : url.reveal()
        }
        return FirstConfiguration(domain: domain, apps: apps, store: store, mail: mail, sender: from, textMessages: sms)
    }

    private static func ask(_ question: String, option: String) throws -> String {
        guard PasswordPrompt.canAsk else { throw AdministrationProblem("\(option) is needed") }
        prompt("\(question): ")
        guard let answer = readLine(strippingNewline: true), !answer.isEmpty else {
            throw AdministrationProblem("\(option) is needed")
        }
        return answer
    }

    /// Reads the text as a server would, before it is written.
    ///
    /// - Throws: ``ConfigurationProblem`` that names a key, and not a line of a file that does not exist.
    private func check(_ text: String, _ variables: [(name: String, value: Secret<String>)]) throws {
        let environment = Dictionary(variables.map { ($0.name, $0.value.reveal()) }) { first, _ in first }
        let file = ConfigurationFile(name: "\(directory)/ostiary.yaml", text: text)
        let overrides = Configuration.Overrides(listen: nil, dataDirectory: nil, apps: [])
        do throws(ConfigurationProblem) {
            _ = try ResolvedConfiguration(
                Configuration(file: file, environment: environment, overrides: overrides))
        } catch {
            var problem = error
            if case .file(file.name, _)? = problem.place { problem.place = nil }
            throw problem
        }
    }
}

import Foundation
import OstiaryClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A program that signs a user in on the terminal and greets them by name, until they sign out.
///
///     export API_BASE_URL=http://127.0.0.1:3001/vici CONTRACT=vici
///     swift run Greeter register ann@example.com
///     swift run Greeter
///     swift run Greeter sign-out
@main
struct Greeter {
    static let usage = """
        usage: Greeter [greet]              says hello to whoever is signed in
               Greeter sign-in WHO          by password; WHO is an email, a phone number or a username
               Greeter register WHO         makes an account, with a code by text message where WHO is a phone number
               Greeter get PATH             asks the API, in the name of whoever is signed in
               Greeter sign-out
        """

    let auth: AuthClient

    static func main() async {
        let environment = ProcessInfo.processInfo.environment
        do {
            let greeter = try Greeter(environment)
            try await greeter.run(Array(CommandLine.arguments.dropFirst()))
            // Pending writes and requests complete before the program ends.
            await greeter.auth.settle()
        } catch {
            Terminal.complain("\(error)")
            exit(1)
        }
    }

    /// The session is in a sealed file of the user who runs the program, which is the client's default on Linux.
    init(_ environment: [String: String]) throws {
        guard let contract = Contract.preset(environment["CONTRACT"] ?? "vici") else {
            throw Problem(description: "CONTRACT is none that there is")
        }
        guard let url = URL(string: environment["API_BASE_URL"] ?? "http://127.0.0.1:3001/\(contract.name)") else {
            throw Problem(description: "API_BASE_URL is no address")
        }
        // A program that runs one command asks the server when it needs to know.
        var options = ClientOptions(verifiesAtStart: false)
        options.log = .silent
        auth = try AuthClient(contract: contract, baseURL: url, options: options)
    }

    func run(_ arguments: [String]) async throws {
        switch (arguments.first, arguments.dropFirst().first) {
        case (nil, nil), ("greet", nil): try await greet()
        case ("sign-in", let who?):
            try await signIn(who)
            try await greet()
        case ("register", let who?):
            try await register(who)
            try await greet()
        case ("get", let path?): try await get(path)
        case ("sign-out", nil): print(try await auth.signOut() == .wasSignedOut ? "Nobody was signed in." : "Bye.")
        default: throw Problem(description: Self.usage)
        }
    }

    private func greet() async throws {
        let user = try await auth.refreshUser()
        print("Hello, \(user.fullName?.text ?? user.email?.text ?? user.username?.text ?? "whoever you are").")
    }

    private func get(_ path: String) async throws {
        guard let url = URL(string: auth.baseURL.text + path) else { throw Problem(description: "that is no path") }
        let (body, answer) = try await auth.data(for: URLRequest(url: url))
        print(String(decoding: body, as: UTF8.self))
        if answer.statusCode >= 400 { throw Problem(description: "the server answered \(answer.statusCode)") }
    }

    private func signIn(_ who: String) async throws {
        let password = try Terminal.askSecretly("Password: ")
        switch auth.contract.rules.identifier {
        case .email: try await auth.signIn(email: who, password: password)
        case .phoneNumber: try await auth.signIn(phoneNumber: who, password: password)
        case .username: try await auth.signIn(username: who, password: password)
        case .subject: throw Problem(description: "People sign in to \(auth.contract.name) in the browser.")
        }
    }

    private func register(_ who: String) async throws {
        switch auth.contract.rules.identifier {
        case .email: try await auth.register(email: who, password: Terminal.askSecretly("New password: "))
        case .phoneNumber:
            let code = try await auth.requestCode(for: who)
            let digits = try Terminal.ask("The code that was sent: ")
            try await auth.verify(code, digits: digits)
            try await auth.register(code: code, digits: digits, password: Terminal.askSecretly("New password: "))
        case .username:
            let email = try Terminal.ask("Email: ")
            try await auth.register(username: who, email: email, password: Terminal.askSecretly("New password: "))
        case .subject: throw Problem(description: "People sign in to \(auth.contract.name) in the browser.")
        }
    }
}

struct Problem: Error, CustomStringConvertible {
    let description: String
}

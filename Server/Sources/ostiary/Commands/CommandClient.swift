import ArgumentParser
import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryNIO

/// The client of one command, and its messages on a terminal.
struct CommandClient {
    let auth: AuthClient
    let store: CommandStore
    let transport: CommandTransport
    private let codec: Codec

    /// - Parameter usesUnsaved: See ``CommandTransport``.
    /// - Throws: `ContractProblem` or `ClientError`.
    init(
        contract: Contract, baseURL: BaseURL, pins: PinSet, usesUnsaved: Bool, bindsBrowserSignIns: Bool
    ) throws {
        codec = try Codec(contract)
        store = CommandStore(.standard(contract: contract.name, baseURL: baseURL))
        // Not URLSession: on Linux, Foundation terminates the process on some responses.
        let carrier = try NIOTransport(pins: pins)
        transport = CommandTransport(over: carrier, store: store, usesUnsaved: usesUnsaved)
        var options = OstiaryClient.ClientOptions(
            store: store, transport: .custom(transport), isDevelopment: false, verifiesAtStart: false)
        options.bindsBrowserSignIns = bindsBrowserSignIns
        options.log = .silent
        // The person who typed the command sees the server's answer, and decides on a retry.
        options.requests = RequestOptions(deadline: .seconds(30), retries: .none, limit: nil)
        guard let url = URL(string: baseURL.text) else { throw BaseURLProblem.malformed }
        auth = try AuthClient(contract: contract, baseURL: url, pins: pins, options: options)
    }

    /// Runs a command to its end, and reports the reason of a failure.
    ///
    /// - Throws: Exit status 1 after one line.
    func run<Value>(_ command: () async throws -> Value) async throws -> Value {
        let result: Result<Value, any Error>
        do { result = .success(try await command()) } catch { result = .failure(error) }
        // A refreshed token that arrives after the process has ended would not be stored.
        await auth.settle()
        do { return try result.get() } catch let error as ClientError {
            printError(text(of: error))
            throw ExitCode.failure
        } catch let problem as AdministrationProblem {
            printError(problem.description)
            throw ExitCode.failure
        }
    }

    // MARK: The contract

    func offers(_ kind: OperationKind) -> Bool { codec.endpoint(for: kind) != nil }

    func takes(_ field: Field, in kind: OperationKind) -> [FieldSpec] {
        codec.endpoint(for: kind)?.takes?.filter { $0.field == field } ?? []
    }

    /// The display name of the identifier that people sign in with.
    var identifierName: String {
        switch auth.contract.rules.identifier {
        case .email: "Email"
        case .phoneNumber: "Phone number"
        case .username: "Username or email"
        case .subject: "Account"
        }
    }

    /// - Throws: ``AdministrationProblem`` for invalid text, and for apps that sign in through the browser alone.
    func identifier(_ text: String) throws -> Identifier {
        do throws(FieldProblem) {
            switch auth.contract.rules.identifier {
            case .email: return .email(try EmailAddress(text))
            case .phoneNumber: return .phoneNumber(try PhoneNumber(text))
            case .username: return .username(try Username(text))
            case .subject: break
            }
        } catch {
            throw AdministrationProblem("\(identifierName.lowercased()): not valid")
        }
        throw AdministrationProblem("\(auth.contract.name) signs in through the browser alone")
    }

    // MARK: Texts

    /// Returns the error's text in one line, as the contract words it where it does.
    private func text(of error: ClientError) -> String {
        switch error {
        case .notSignedIn: store.damage.map { text(of: $0) } ?? "not signed in: ostiary login"
        case .sessionEnded(let refusal):
            "the session has ended: \(codec.text(of: refusal)) Sign in again: ostiary login"
        case .refused(let refusal): codec.text(of: refusal)
        case .rateLimited(let until):
            codec.text(of: .tooManyAttempts(retryAfterSeconds: max(1, Int(until.timeIntervalSinceNow.rounded(.up)))))
        case .temporarilyUnavailable: codec.text(of: .unavailable(incident: nil))
        case .browserAnswer(let problem): TerminalText.escaped(problem.description)
        case .store(let problem): text(of: problem)
        case .cancelled: store.problem.map { text(of: $0) } ?? error.description
        default: error.description
        }
    }

    private func text(of problem: StoreProblem) -> String {
        switch problem {
        case .notPrivate, .damaged, .system, .keychain, .enrolmentChanged: problem.description
        case .newerVersion, .busy, .sealingKey: "\(store.path): \(problem.description)"
        }
    }
}

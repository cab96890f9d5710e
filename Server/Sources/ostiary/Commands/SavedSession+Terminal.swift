import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension SavedSession {
    var contract: Contract { auth.contract }

    var takesPasswords: Bool { auth.codec.endpoint(for: .signIn) != nil }

    /// What people sign in with, in a word.
    var identifierName: String {
        switch contract.rules.identifier {
        case .email: "Email"
        case .phoneNumber: "Phone number"
        case .username: "Username or email"
        case .subject: "Account"
        }
    }

    /// - Throws: ``AdministrationProblem`` for text that is none, and for apps that sign in through the browser alone.
    func identifier(_ text: String) throws -> Identifier {
        do throws(FieldProblem) {
            switch contract.rules.identifier {
            case .email: return .email(try EmailAddress(text))
            case .phoneNumber: return .phoneNumber(try PhoneNumber(text))
            case .username: return .username(try Username(text))
            case .subject: break
            }
        } catch {
            throw AdministrationProblem("\(identifierName.lowercased()): not valid")
        }
        throw AdministrationProblem("\(contract.name) signs in through the browser alone")
    }

    func text(of error: AuthError) -> String { auth.codec.text(of: error) }

    /// Does an operation that needs nobody to be signed in.
    func call<Operation: WireOperation>(_ operation: Operation) async throws(SessionFailure) -> Operation.Answer {
        do { return try await auth.call(operation) } catch {
            switch error {
            case .refused(let refusal): throw .refused(refusal)
            case .unreachable(let error): throw .unreachable(error)
            }
        }
    }
}

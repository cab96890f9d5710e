import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore

/// One performance of a scenario: the world, and the record so far.
struct ScenarioPlay: Sendable {
    let world: any ScenarioWorld
    private(set) var record: [String] = []
    private var names: [String: String] = [:]
    private var counts: [String: Int] = [:]

    init(_ world: any ScenarioWorld) { self.world = world }

    var contract: Contract { world.auth.contract }
    var hasRefresh: Bool { contract.rules.refresh != nil }

    // MARK: Recording

    mutating func note(_ text: String) { record.append(text) }

    mutating func pass(seconds: Int) async throws {
        note("\(seconds) s pass")
        try await world.pass(.seconds(seconds))
    }

    /// The same name for the same text, a new one for a new text.
    mutating func name(_ kind: String, _ text: String) -> String {
        if let name = names[text] { return name }
        counts[kind, default: 0] += 1
        let name = "\(kind) \(counts[kind, default: 0])"
        names[text] = name
        return name
    }

    // MARK: Asking

    /// Asks for an operation, and notes what came of it.
    ///
    /// - Returns: Nil for a refusal.
    @discardableResult
    mutating func ask<Operation: WireOperation>(_ what: String, _ call: Operation) async -> Operation.Answer? {
        do throws(RemoteFailure) {
            let answer = try await world.auth.call(call)
            note("\(what): \(describe(answer))")
            return answer
        } catch {
            switch error {
            case .refused(let error): note("\(what): \(Self.describe(error))")
            case .unreachable(let error): note("\(what): \(error)")
            }
            return nil
        }
    }

    /// The same, for a step without which there is no going on.
    mutating func must<Operation: WireOperation>(
        _ what: String, _ call: Operation
    ) async throws -> Operation.Answer {
        guard let answer = await ask(what, call) else { throw ScenarioStopped(record: record) }
        return answer
    }

    /// Sends a request as it is, and notes status, body and the headers that matter.
    mutating func send(_ what: String, _ request: WireRequest) async throws {
        let response = try await world.auth.send(request)
        let headers = ["www-authenticate", "retry-after", "allow", "location"].compactMap { name in
            response.headers[name].map { "\(name)=\($0)" }
        }
        let body = String(decoding: response.body, as: UTF8.self)
        note("\(what): \(([String(response.status)] + headers + [body]).joined(separator: " "))")
    }

    // MARK: Describing

    private static func describe(_ error: AuthError) -> String {
        switch error {
        case .tooManyAttempts(let seconds): "refused \(error.code), \(seconds) s"
        case .rejected(let status, let message): "refused \(status) \(message)"
        case .challengeRequired(let challenge): "asked for \(challenge.name)"
        default: "refused \(error.code)"
        }
    }

    private mutating func describe(_ answer: any WireAnswer) -> String {
        switch answer {
        case let answer as SignedIn: "\(describe(answer.tokens)), \(answer.user.map { describe($0) } ?? "no user")"
        case let answer as Tokens: describe(answer)
        case let answer as User: describe(answer)
        case let answer as CodeRequested: name("code session", answer.codeSession)
        case is CodeVerified: "verified"
        case is BrowserDestination: "somewhere"
        case let answer as SocialConfiguration: "\(answer.domain) \(answer.clientID) \(answer.audience)"
        case let answer as [SessionSummary]: "[" + answer.map { describe($0) }.joined(separator: ", ") + "]"
        default: "done"
        }
    }

    private mutating func describe(_ tokens: Tokens) -> String {
        let access = name("access", tokens.accessToken.reveal())
        let lifetime = tokens.expiresIn.map { "for \($0.components.seconds) s" } ?? "for a time untold"
        let refresh = tokens.refreshToken.map { name("refresh", $0.reveal()) } ?? "no refresh token"
        return "\(access) \(lifetime), \(refresh)"
    }

    private mutating func describe(_ user: User) -> String {
        let labels = [user.email?.text, user.username?.text, user.phoneNumber?.e164, user.fullName?.text]
            .map { $0 ?? "-" }
        return ([name("account", user.id.text)] + labels + user.roles + [user.authProvider]).joined(separator: " ")
    }

    private mutating func describe(_ session: SessionSummary) -> String {
        let mark = session.isCurrent ? " current" : ""
        let times = "\(Int(session.createdAt.timeIntervalSince1970)) \(Int(session.lastUsedAt.timeIntervalSince1970))"
        return "\(name("session", session.id.text))\(mark) \(times) \(session.device?.deviceID ?? "-")"
    }
}

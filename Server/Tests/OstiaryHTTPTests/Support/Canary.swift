import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import OstiaryServerTestSupport
import OstiaryStore
import Testing

/// Searches logs, metrics and the audit log for secrets.
struct Canary {
    let words: Set<String>

    /// Creates the search for Jo's names, and the secrets of a run.
    init(_ secrets: Set<String>, in world: World) throws {
        var words = secrets
        words.formUnion([AppClient.password.reveal(), AppClient.newPassword.reveal()])
        words.formUnion([try AppClient.email.text, try AppClient.username.text, try AppClient.phoneNumber.e164])
        words.insert(String(try AppClient.phoneNumber.e164.dropFirst()))
        for notice in world.notificationSealer.notices {
            switch notice {
            case .oneTimeCode(let code, _): words.insert(code.reveal())
            case .passwordReset(let token, _), .registrationConfirmation(let token, _), .invitation(let token, _),
                .deviceLink(let token, _):
                words.insert(token.reveal())
            case .accountRecovery(let recovery, let reset, _):
                words.formUnion([recovery.token.reveal(), reset.reveal()])
            case .factorsChanged(let notice): if let token = notice.undoToken { words.insert(token.reveal()) }
            case .unusualSignIn(let notice): words.insert(notice.denialToken.reveal())
            case .passwordChanged, .passwordCompromised, .emailChanged, .refreshTokenReused, .registrationAttempted,
                .eventEndpointDisabled,
                .nothing:
                break
            }
        }
        self.words = words.filter { $0.utf8.count >= 6 }
    }

    /// Returns the words that were found, each with its place.
    func findings(in texts: [String]) -> [String] {
        texts.flatMap { text in
            words.filter { text.hasWord($0) }.map { "\($0) in: \(text)" }
        }
    }

    /// Runs an app over the socket, and expects that none of its secrets can be found.
    static func watch(
        _ contract: Contract, adjust: (inout AppSettings) -> Void = { _ in },
        _ body: (AppClient, LiveServer) async throws -> Void
    ) async throws {
        let world = try await World([contract], adjust: adjust)
        let recorder = SecretRecorder(URLSessionTransport(), speaking: contract)
        let metrics = try await LiveServer.run(world) { server in
            try await body(AppClient(contract, in: world, at: server.origin, over: recorder), server)
            return server.metrics.text
        }
        let canary = try Canary(recorder.secrets, in: world)
        #expect(canary.findings(in: try await traces(of: world, metrics: metrics)) == [])
    }

    /// Returns everything that a run wrote to logs, metrics and the audit log.
    private static func traces(of world: World, metrics: String) async throws -> [String] {
        let events = try await world.store.events(in: nil, since: nil, after: nil, limit: 10_000)
        return world.log.records + [metrics] + events.map { "\($0.event)" }
    }
}

extension String {
    /// Returns `true` if `word` occurs as a whole word: six digits within a longer number are no code.
    fileprivate func hasWord(_ word: String) -> Bool {
        ranges(of: word).contains { range in
            let before = range.lowerBound == startIndex ? nil : self[index(before: range.lowerBound)]
            let after = range.upperBound == endIndex ? nil : self[range.upperBound]
            return before?.isLetterOrDigit != true && after?.isLetterOrDigit != true
        }
    }
}

extension Character {
    fileprivate var isLetterOrDigit: Bool { isLetter || isNumber }
}

import Foundation
import OstiaryCore

/// The answer of the hook before a registration: `{"decision": "allow"}`, or `{"decision": "deny", "message": "…"}`.
enum RegistrationDecision: Hashable {
    case allow
    case deny(message: String)

    /// The maximum size of a message, in bytes.
    static let maximumMessageBytes = 500
    private static let usualMessage = "The registration was refused."

    private struct Answer: Decodable {
        var decision: Decision
        var message: String?

        enum Decision: String, Decodable { case allow, deny }
    }

    /// - Throws: ``HookProblem``.
    init(answer: [UInt8]) throws(HookProblem) {
        guard answer.count <= Hook.maximumAnswerBytes,
            let read = try? JSONDecoder().decode(Answer.self, from: Data(answer))
        else { throw .malformedAnswer }
        switch read.decision {
        case .allow: self = .allow
        case .deny:
            let message = read.message ?? Self.usualMessage
            guard message.utf8.count <= Self.maximumMessageBytes,
                message.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else { throw .malformedAnswer }
            self = .deny(message: message.utf8.isEmpty ? Self.usualMessage : message)
        }
    }
}

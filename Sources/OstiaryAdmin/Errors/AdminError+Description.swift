public import Foundation
import OstiaryAdminAPI
import OstiaryClient

extension AdminError: CustomStringConvertible, LocalizedError {
    /// A text in English for the person who runs the program, without control characters of the server.
    public var description: String {
        switch self {
        case .invalidURL(let problem): "The server's address cannot be used: \(problem)."
        case .invalidKey: "The service key is not one."
        case .invalidRequest(let reason): "The request cannot be sent: \(reason)."
        case .refused(let problem): problem.text
        case .network(let error): error.description
        case .invalidAnswer: "The server's answer could not be understood."
        case .repeatedCursor: "The server answered the same cursor twice: its list would never end."
        case .cancelled: "The request was cancelled."
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}

extension AdminProblemDetails {
    fileprivate var text: String {
        let title = [detail, title].compactMap { $0 }.first { !$0.isEmpty && PersonText.shown($0) != nil }
        var text = title ?? PersonText.ofStatus(status)
        if let code = Self.plain(code) { text += " (\(code))" }
        // The server's detail has the scope as a rule.
        if let scope = scope.flatMap(Self.plain), !text.contains(scope) {
            text += " The key needs the scope \(scope)."
        }
        let problems = (errors ?? []).prefix(AdminReader.maximumErrors).compactMap { error -> String? in
            guard let pointer = Self.plain(error.pointer), let code = Self.plain(error.code) else { return nil }
            return "\(pointer): \(code)"
        }
        if !problems.isEmpty { text += " " + problems.joined(separator: ", ") }
        if let incident = incident.flatMap(Self.plain) { text += " The server's log has it as \(incident)." }
        return text
    }

    /// Returns a short text of visible ASCII; nil for another.
    private static func plain(_ text: String) -> String? {
        let isPlain = (1...200).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPlain ? text : nil
    }
}

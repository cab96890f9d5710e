import Crypto
import Foundation
package import OstiaryCore
import OstiaryEngine
import Synchronization

/// The range API of Have I Been Pwned, or of a server of the same form. Only the first five hexadecimal digits of a password's SHA-1
/// hash are sent. Source: Have I Been Pwned, "Searching by range" (k-anonymity).
package struct CompromisedPasswordRange: CompromisedPasswords {
    private let url: String
    private let client: UpstreamClient
    private let failures: CompromisedPasswordFailures

    /// - Parameters:
    ///   - url: The URL to which the five digits are appended, with `/` at its end.
    ///   - client: The client, whose operation deadline limits one question.
    ///   - failures: Counts the questions without an answer.
    package init(url: String, client: UpstreamClient, failures: CompromisedPasswordFailures) {
        self.url = url
        self.client = client
        self.failures = failures
    }

    /// Returns `true` if a password is on the list; `false` also if the server does not answer.
    package func contains(_ password: Secret<String>) async -> Bool {
        let digits = Insecure.SHA1.hash(data: Data(password.reveal().utf8)).flatMap { byte in
            [byte >> 4, byte & 15].map { Array("0123456789ABCDEF".utf8)[Int($0)] }
        }
        let request = UpstreamRequest(
            .get, url + String(decoding: digits.prefix(5), as: UTF8.self),
            headers: [("add-padding", "true"), ("accept", "text/plain")])
        do {
            let answer = try await client.withOperationDeadline(url) { [client] in try await client.send(request) }
            guard answer.status == 200 else { throw UpstreamProblem.addressRefused }
            return Self.contains(digits.suffix(35), in: answer.body)
        } catch {
            failures.add()
            return false
        }
    }

    /// Returns `true` if a line `SUFFIX:COUNT` has the digits, and a count other than 0, which is padding.
    static func contains(_ suffix: some Collection<UInt8>, in body: [UInt8]) -> Bool {
        body.split(separator: UInt8(ascii: "\n")).contains { line in
            let parts = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].elementsEqual(suffix) else { return false }
            return parts[1].contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
        }
    }
}

/// Counts the questions about compromised passwords that had no answer, since the start of the process.
package final class CompromisedPasswordFailures: Sendable {
    private let counter = Atomic<Int>(0)

    package init() {}

    /// The number of questions without an answer.
    package var count: Int { counter.load(ordering: .relaxed) }

    func add() { counter.add(1, ordering: .relaxed) }
}

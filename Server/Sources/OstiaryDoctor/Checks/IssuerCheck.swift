import Foundation

/// The built-in provider's discovery document names its own URL.
package struct IssuerCheck: DoctorCheck {
    package static let name = "issuer"

    let issuer: String
    let observation: WebObservation

    package init(issuer: String, observation: WebObservation) {
        self.issuer = issuer
        self.observation = observation
    }

    package func findings() -> [DoctorFinding] {
        switch observation {
        case .offline(let reason): return [skipped(reason, subject: issuer)]
        case .untrusted, .unreachable: return [skipped("The public URL cannot be reached.", subject: issuer)]
        case .answered(let answer):
            guard let found = Self.issuer(answer) else {
                return [
                    error(
                        "issuer_unreadable", "There is no discovery document; the status is \(answer.status).",
                        subject: issuer, remedy: "Forward every path below /idp to the server, /.well-known among them."
                    )
                ]
            }
            guard found.utf8.elementsEqual(issuer.utf8) else {
                return [
                    error(
                        "issuer_mismatch", "The discovery document is of another issuer.", subject: issuer,
                        remedy: "Let the proxy forward to this server, and set public_url to what browsers use.")
                ]
            }
            return [ok("The discovery document names this issuer.", subject: issuer)]
        }
    }

    private struct Document: Decodable { let issuer: String }

    private static func issuer(_ answer: WebAnswer) -> String? {
        guard answer.status == 200 else { return nil }
        return (try? JSONDecoder().decode(Document.self, from: answer.body))?.issuer
    }
}

import Foundation

/// A domain names its apps for Apple's platforms. Source: Apple, Supporting associated domains.
package struct AppleAssociationCheck: DoctorCheck {
    package static let name = "aasa"

    let url: String
    /// The apps that share passkeys with the domain: `TEAM.BUNDLE`.
    let credentialApps: [String]
    /// The apps that open links of the domain.
    let linkApps: [String]
    let observation: WebObservation

    package init(url: String, credentialApps: [String], linkApps: [String], observation: WebObservation) {
        self.url = url
        self.credentialApps = credentialApps
        self.linkApps = linkApps
        self.observation = observation
    }

    package func findings() -> [DoctorFinding] {
        switch observation {
        case .offline(let reason): [skipped(reason, subject: url)]
        case .untrusted: [skipped("The certificate is not trusted, so that nothing was requested.", subject: url)]
        case .unreachable(let reason):
            [
                error(
                    "aasa_unreachable", reason, subject: url,
                    remedy: "Serve what ostiary config aasa prints at this URL; Apple's servers fetch it.")
            ]
        case .answered(let answer): [finding(answer)]
        }
    }

    private func finding(_ answer: WebAnswer) -> DoctorFinding {
        if (300..<400).contains(answer.status) {
            return error(
                "aasa_redirect", "The file is redirected, which Apple does not follow.", subject: url,
                remedy: "Serve it at this URL itself.")
        }
        guard answer.status == 200 else {
            return error(
                "aasa_missing", "The answer has the status \(answer.status) instead of 200.", subject: url,
                remedy: "Serve what ostiary config aasa prints at this URL, or forward the path to the server.")
        }
        let type = answer.values(of: "content-type").first?.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
        guard type == "application/json" else {
            return error(
                "aasa_content_type", "The content type is not application/json.", subject: url,
                remedy: "Set Content-Type: application/json for this path.")
        }
        guard let document = try? JSONDecoder().decode(Document.self, from: answer.body) else {
            return error(
                "aasa_invalid", "The file is no association document.", subject: url,
                remedy: "Serve what ostiary config aasa prints.")
        }
        let links = Set(document.applinks?.details?.flatMap { ($0.appIDs ?? []) + [$0.appID].compactMap(\.self) } ?? [])
        let missing =
            credentialApps.filter { document.webcredentials?.apps.contains($0) != true }
            + linkApps.filter { !links.contains($0) }
        guard missing.isEmpty else {
            return error(
                "aasa_app_missing", "The file does not name \(Set(missing).sorted().joined(separator: ", ")).",
                subject: url, remedy: "Serve what ostiary config aasa prints; Apple's copy is up to a week old.")
        }
        return ok("The file names every configured app.", subject: url)
    }

    private struct Document: Decodable {
        struct Credentials: Decodable { let apps: [String] }
        struct Links: Decodable { let details: [Details]? }
        struct Details: Decodable {
            let appIDs: [String]?
            let appID: String?
        }

        let webcredentials: Credentials?
        let applinks: Links?
    }
}

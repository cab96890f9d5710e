package import Foundation

/// The certificates of a host are trusted, and do not expire soon.
package struct CertificateCheck: DoctorCheck {
    package static let name = "tls"

    private static let warningDays = 21

    package enum Observation: Hashable, Sendable {
        case presented(CertificateFacts)
        case unreachable(String)
        case skipped(String)
    }

    let host: String
    let observation: Observation
    let now: Date

    package init(host: String, observation: Observation, now: Date) {
        self.host = host
        self.observation = observation
        self.now = now
    }

    package func findings() -> [DoctorFinding] {
        switch observation {
        case .skipped(let reason): [skipped(reason, subject: host)]
        case .unreachable(let reason):
            [
                error(
                    "tls_unreachable", reason, subject: host,
                    remedy: "Let the name lead to the proxy, and the proxy listen there with TLS 1.2 or later.")
            ]
        case .presented(let facts): [finding(facts)]
        }
    }

    private func finding(_ facts: CertificateFacts) -> DoctorFinding {
        // The root is not sent to clients, and a client's own copy may be another one.
        let relevant =
            facts.problem == nil && facts.expiries.count > 1 ? facts.expiries.dropLast() : facts.expiries[...]
        guard let first = relevant.min() else {
            return error(
                "tls_untrusted", "No certificate was presented.", subject: host,
                remedy: "Configure the proxy's certificate.")
        }
        let days = Int((first.timeIntervalSince(now) / 86_400).rounded(.down))
        if first <= now {
            return error(
                "tls_expired", "A certificate of the chain expired on \(Self.day(first)).", subject: host,
                remedy: "Renew it, and look why the automatic renewal failed.")
        }
        if let problem = facts.problem {
            return error(
                "tls_untrusted", "The chain is not trusted: \(problem).", subject: host,
                remedy:
                    "Serve the full chain, without the root, of a certificate for this name; for an authority of your own pass --ca."
            )
        }
        if days < Self.warningDays {
            return warning(
                "tls_expires_soon",
                "A certificate of the chain expires in \(days.counting("day")), on \(Self.day(first)).",
                subject: host, remedy: "Renew it now, and look why the automatic renewal has not.")
        }
        return ok("The chain is trusted, and valid for \(days.counting("day")).", subject: host)
    }

    private static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
}

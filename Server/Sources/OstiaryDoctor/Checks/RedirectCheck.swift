import Foundation

/// Plain HTTP leads to the public URL, or nowhere.
package struct RedirectCheck: DoctorCheck {
    package static let name = "redirect"

    /// The origin, which is HTTPS.
    let origin: String
    /// The answer to the same path by plain HTTP; nil where the origin has a port of its own.
    let observation: WebObservation?

    package init(origin: String, observation: WebObservation?) {
        self.origin = origin
        self.observation = observation
    }

    /// Returns the URL of the same page by plain HTTP; nil for an origin of plain HTTP, or with a port of its own.
    package static func plainURL(of url: String) -> String? {
        guard var parts = URLComponents(string: url), parts.scheme == "https", parts.port ?? 443 == 443 else {
            return nil
        }
        parts.scheme = "http"
        parts.port = nil
        return parts.string
    }

    package func findings() -> [DoctorFinding] {
        switch observation {
        case nil: [skipped("The URL has a port of its own, to which no port of plain HTTP belongs.", subject: origin)]
        case .offline(let reason): [skipped(reason, subject: origin)]
        case .unreachable, .untrusted: [ok("Nothing answers plain HTTP.", subject: origin)]
        case .answered(let answer): [finding(answer)]
        }
    }

    private func finding(_ answer: WebAnswer) -> DoctorFinding {
        switch answer.status {
        case 300..<400 where leadsToOrigin(answer): ok("Plain HTTP is redirected to HTTPS.", subject: origin)
        case 300..<400:
            error(
                "plain_http_elsewhere", "Plain HTTP is redirected, and not to \(origin).", subject: origin,
                remedy: Self.remedy)
        case 400..<500: ok("Plain HTTP is refused, with the status \(answer.status).", subject: origin)
        default:
            error(
                "plain_http_served",
                "Plain HTTP is answered with the status \(answer.status), so that passwords can pass without TLS.",
                subject: origin, remedy: Self.remedy)
        }
    }

    private static let remedy = "Redirect all of it: return 301 https://$host$request_uri; for nginx."

    /// Browsers send the same path again. Source: RFC 9110 §10.2.2.
    private func leadsToOrigin(_ answer: WebAnswer) -> Bool {
        let locations = answer.values(of: "location")
        guard locations.count == 1, let location = URLComponents(string: locations[0]),
            let expected = URLComponents(string: origin)
        else { return false }
        return location.scheme?.lowercased() == "https" && location.port ?? 443 == 443
            && location.host?.lowercased() == expected.host?.lowercased()
    }
}

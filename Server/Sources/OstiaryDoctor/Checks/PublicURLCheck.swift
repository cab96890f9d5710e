/// The server answers at its public URL, with the headers that it sets.
package struct PublicURLCheck: DoctorCheck {
    package static let name = "public_url"

    private static let leastSeconds = 15_552_000
    private static let expected = [
        ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"), ("cache-control", "no-store"),
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ]

    /// The URL whose path is `/healthz`.
    let url: String
    let observation: WebObservation
    /// `true` if the public `/metrics` shows metrics.
    let showsMetrics: Bool

    package init(url: String, observation: WebObservation, showsMetrics: Bool = false) {
        self.url = url
        self.observation = observation
        self.showsMetrics = showsMetrics
    }

    package func findings() -> [DoctorFinding] {
        switch observation {
        case .offline(let reason): [skipped(reason, subject: url)]
        case .untrusted: [skipped("The certificate is not trusted, so that nothing was requested.", subject: url)]
        case .unreachable(let reason):
            [
                error(
                    "public_url_unreachable", reason, subject: url,
                    remedy: "Start the server and the proxy, and let the name lead to the proxy.")
            ]
        case .answered(let answer): findings(answer)
        }
    }

    private func findings(_ answer: WebAnswer) -> [DoctorFinding] {
        guard answer.status == 200 else {
            return [
                error(
                    "public_url_status", "The answer has the status \(answer.status) instead of 200.", subject: url,
                    remedy: answer.status >= 502
                        ? "Start the server, and let the proxy forward to its address (listen)."
                        : "Forward every path of this host to the server, without a change.")
            ]
        }
        var findings: [DoctorFinding] = []
        if showsMetrics {
            findings.append(
                error(
                    "metrics_public", "Everybody can read /metrics at the public URL.", subject: url,
                    remedy: "Forward to the main listener (listen), and not to that of administration (admin.listen)."))
        }
        findings += Self.expected.compactMap { name, value in header(name, value, answer) }
        if url.hasPrefix("https:") { findings += [transportSecurity(answer)].compactMap(\.self) }
        return findings.isEmpty ? [ok("The server answers, with all security headers.", subject: url)] : findings
    }

    private func header(_ name: String, _ value: String, _ answer: WebAnswer) -> DoctorFinding? {
        let values = answer.values(of: name)
        if values == [value] { return nil }
        let text =
            values.isEmpty
            ? "The answer has no \(name)."
            : values.count > 1 ? "The answer has \(name) \(values.count) times." : "The answer has another \(name)."
        return warning(
            "header_changed", text, subject: url,
            remedy: "Let the proxy pass the server's headers on, and add none of the same name.")
    }

    /// Source: RFC 6797 §6.1.
    private func transportSecurity(_ answer: WebAnswer) -> DoctorFinding? {
        let values = answer.values(of: "strict-transport-security")
        if values.count > 1 {
            return warning(
                "hsts_repeated",
                "The answer has Strict-Transport-Security \(values.count) times, of which browsers use the first.",
                subject: url, remedy: "Remove it from the proxy: the server sets it.")
        }
        let seconds = values.first.flatMap(Self.maximumAge)
        guard let seconds, seconds >= Self.leastSeconds else {
            return error(
                "hsts_missing",
                values.isEmpty
                    ? "The answer has no Strict-Transport-Security."
                    : "Strict-Transport-Security is for less than 180 days.",
                subject: url, remedy: "Let the proxy pass the server's header on, and set public_url with https.")
        }
        return nil
    }

    private static func maximumAge(_ value: String) -> Int? {
        value.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\"" } }
            .first { $0.hasPrefix("max-age=") }.flatMap { Int($0.dropFirst("max-age=".count)) }
    }
}

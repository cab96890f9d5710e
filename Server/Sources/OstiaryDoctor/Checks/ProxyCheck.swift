/// The proxy states the client's address, and the server believes it.
package struct ProxyCheck: DoctorCheck {
    package static let name = "proxy"

    /// The address in the `X-Forwarded-For` of the probe itself, as a client could write it. Source: RFC 5737.
    package static let forgedAddress = "192.0.2.1"

    /// The observation of the public URL.
    let observation: WebObservation
    /// The host of the public URL, without port.
    let host: String
    /// `true` if the server itself has the certificate.
    let endsTLS: Bool

    package init(observation: WebObservation, host: String, endsTLS: Bool) {
        self.observation = observation
        self.host = host
        self.endsTLS = endsTLS
    }

    package func findings() -> [DoctorFinding] {
        guard case .answered(let answer) = observation, answer.status == 200 else {
            return [skipped("The public URL did not answer, so that what the server sees is unknown.", subject: host)]
        }
        guard let seen = ProbeAnswer(answer.body) else {
            return [
                warning(
                    "public_url_elsewhere",
                    "The public URL is answered by something that does not have this encryption key.", subject: host,
                    remedy: "Let the proxy forward to this server; start it again after an update or a new key.")
            ]
        }
        let problems = [hops(seen), passedHost(seen)].compactMap(\.self)
        return problems.isEmpty
            ? [ok("The server sees the client's address and the host.", subject: host)] : problems
    }

    private func hops(_ seen: ProbeAnswer) -> DoctorFinding? {
        // A direct connection: the forged entry came without a proxy.
        if endsTLS, seen.forwardedFor == [Self.forgedAddress] { return nil }
        guard !seen.forwardedFor.isEmpty else {
            return error(
                "forwarded_for_missing",
                "The proxy at \(seen.peer) does not send X-Forwarded-For, so that all clients share its rate limits.",
                subject: host, remedy: "Add it: proxy_set_header X-Forwarded-For $remote_addr; for nginx.")
        }
        if seen.forwardedFor.last == Self.forgedAddress {
            return error(
                "forwarded_for_forgeable",
                "The proxy passes on the X-Forwarded-For of clients, who can pretend any address.", subject: host,
                remedy: "Let it set or append the address: proxy_set_header X-Forwarded-For $remote_addr; for nginx.")
        }
        guard seen.isPeerTrusted else {
            return error(
                "proxy_not_trusted",
                "The proxy at \(seen.peer) is not in trusted_proxies, so that all clients share its rate limits.",
                subject: host, remedy: "Add \(seen.peer) to trusted_proxies and restart the server.")
        }
        return nil
    }

    private func passedHost(_ seen: ProbeAnswer) -> DoctorFinding? {
        let name = seen.host.lowercased().prefix { $0 != ":" }
        guard !host.contains(":"), !name.isEmpty, String(name) != host.lowercased() else { return nil }
        return error(
            "host_changed", "The proxy changes the Host header to \(seen.host).", subject: host,
            remedy: "Pass it on: proxy_set_header Host $host; for nginx.")
    }
}

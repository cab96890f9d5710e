import Crypto
import Foundation
import OstiaryClient
import OstiaryConfiguration
import OstiaryCore
import OstiaryDoctor
import OstiaryEngine
import OstiaryHTTP
import OstiaryNIO

/// Observes a deployment from outside, through its public URLs, all at the same time.
struct OutsideExamination: Sendable {
    let resolved: ResolvedConfiguration
    /// A PEM file of the only authorities to trust, and its content; nil for the system's.
    let roots: (path: String, roots: TrustRoots)?
    let system: SystemDependencies

    private static let deadline = Duration.seconds(5)

    /// The checks, and the clocks of the hosts.
    struct Result: Sendable {
        var checks: [any DoctorCheck] = []
        var clocks: [ClockReading] = []
    }

    func result() async -> Result {
        let probe = WebProbe(roots: roots?.path, deadline: Self.deadline)
        let token = diagnosticToken
        var work: [@Sendable () async -> Result] = []
        for origin in origins { work.append { await site(origin, probe, token) } }
        work.append { await issuer(probe) }
        for domain in resolved.associatedDomains { work.append { await association(of: domain, probe) } }
        let results = await withTaskGroup(of: (Int, Result).self) { group in
            for (index, observe) in work.enumerated() { group.addTask { (index, await observe()) } }
            return await group.reduce(into: [Int: Result]()) { $0[$1.0] = $1.1 }
        }
        return work.indices.reduce(into: Result()) { result, index in
            result.checks += results[index]?.checks ?? []
            result.clocks += results[index]?.clocks ?? []
        }
    }

    /// The public URL, and the hosts of apps that have hosts of their own.
    private var origins: [String] {
        var origins = [resolved.configuration.publicURL].compactMap(\.self)
        for host in resolved.apps.flatMap(\.configuration.hosts) where !origins.contains("https://\(host)") {
            origins.append("https://\(host)")
        }
        return origins
    }

    private var diagnosticToken: [(String, String)] {
        let keys = resolved.configuration.encryptionKeys.map { SymmetricKey(data: $0.reveal()) }
        guard let newest = keys.first else { return [] }
        let ring = KeyRing(master: newest, earlier: [], derivation: newest)
        guard let token = try? DiagnosticToken.make(with: ring, at: system.now()) else { return [] }
        return [(DiagnosticToken.header, token), ("X-Forwarded-For", ProxyCheck.forgedAddress)]
    }

    /// Observes one origin: its certificate, its answer, and what the server sees of the request.
    private func site(_ origin: String, _ probe: WebProbe, _ token: [(String, String)]) async -> Result {
        let host = Self.host(of: origin)
        async let certificate = self.certificate(of: origin)
        async let answered = request("\(origin)/healthz", token, probe)
        async let metrics = request("\(origin)/metrics", [], probe)
        async let redirect = self.redirect(of: origin, probe)
        let answer = await answered
        var showsMetrics = false
        if case .answered(let found) = await metrics, found.status == 200 {
            showsMetrics = found.body.range(of: Data("ostiary_".utf8)) != nil
        }
        var result = Result()
        if let certificate = await certificate {
            result.checks.append(CertificateCheck(host: host, observation: certificate, now: system.now()))
        }
        result.checks += [
            PublicURLCheck(url: "\(origin)/healthz", observation: answer, showsMetrics: showsMetrics),
            ProxyCheck(observation: answer, host: host, endsTLS: resolved.configuration.tls != nil),
        ]
        if let redirect = await redirect { result.checks.append(redirect) }
        if case .answered(let found) = answer, let clock = found.clock { result.clocks = [clock] }
        return result
    }

    /// - Returns: Nil for plain HTTP, which development mode has.
    private func redirect(of origin: String, _ probe: WebProbe) async -> RedirectCheck? {
        guard let url = try? BaseURL(origin), !url.isPlainHTTP else { return nil }
        guard let plain = RedirectCheck.plainURL(of: "\(origin)/healthz") else {
            return RedirectCheck(origin: origin, observation: nil)
        }
        return RedirectCheck(origin: origin, observation: await request(plain, [], probe))
    }

    private func request(_ url: String, _ headers: [(String, String)], _ probe: WebProbe) async -> WebObservation {
        switch await Self.lookup(Self.host(of: url)) {
        case .found: await probe.get(url, headers: headers, now: system.now)
        case .noSuchName: .unreachable("The name does not exist.")
        case .unanswered: .offline("No resolver answers on this machine.")
        }
    }

    /// - Returns: Nil for plain HTTP, which development mode has.
    private func certificate(of origin: String) async -> CertificateCheck.Observation? {
        guard let url = try? BaseURL(origin), !url.isPlainHTTP else { return nil }
        switch await Self.lookup(url.host) {
        case .found: break
        case .noSuchName: return .unreachable("The name does not exist.")
        case .unanswered: return .skipped("No resolver answers on this machine.")
        }
        do {
            let shown = try await ServerCertificates.shown(
                by: url, roots: roots?.roots ?? .system, within: Self.deadline)
            return .presented(
                CertificateFacts(expiries: shown.certificates.map(\.expires), problem: shown.problem))
        } catch {
            return .unreachable(
                error == .untrusted ? "It does not speak TLS 1.2 or later." : "Nothing answers there in time.")
        }
    }

    private func issuer(_ probe: WebProbe) async -> Result {
        guard resolved.configuration.idp != nil, resolved.configuration.publicURL != nil else { return Result() }
        let issuer = BuiltInProvider.issuer(resolved)
        let observation = await request("\(issuer)/.well-known/openid-configuration", [], probe)
        return Result(checks: [IssuerCheck(issuer: issuer, observation: observation)])
    }

    private func association(of domain: String, _ probe: WebProbe) async -> Result {
        let expected = resolved.association(of: domain)
        let own = resolved.configuration.publicURL.map(Self.withoutPath)
        let base = own.flatMap { Self.host(of: $0) == domain ? $0 : nil } ?? "https://\(domain)"
        let url = base + AppleAppAssociation.path
        let check = AppleAssociationCheck(
            url: url, credentialApps: expected.credentialApps, linkApps: expected.links.flatMap(\.apps),
            observation: await request(url, [], probe))
        return Result(checks: [check])
    }

    private static func withoutPath(_ url: String) -> String {
        url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }

    private static func host(of url: String) -> String { URLComponents(string: url)?.host ?? url }

    /// Looks a name up on a thread of its own, which may outlive the time limit.
    static func lookup(_ host: String) async -> NameLookup.Outcome {
        let (outcomes, continuation) = AsyncStream.makeStream(of: NameLookup.Outcome.self)
        Thread.detachNewThread { continuation.yield(NameLookup.outcome(of: host)) }
        let timer = Task {
            try await Task.sleep(for: deadline)
            continuation.yield(.unanswered)
        }
        defer { timer.cancel() }
        return await outcomes.first { _ in true } ?? .unanswered
    }
}

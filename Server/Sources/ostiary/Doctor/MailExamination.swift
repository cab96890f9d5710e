import Foundation
import OstiaryCore
import OstiaryDelivery
import OstiaryDoctor
import OstiaryEngine

/// Observes the mail server, and what DNS says of the sender's domain, all at the same time.
struct MailExamination: Sendable {
    let resolved: ResolvedConfiguration
    let nameServers: NameServerProbe
    /// The selectors of the mail provider's signatures.
    let selectors: [String]

    func checks() async -> [any DoctorCheck] {
        guard case .smtp(let server, let from) = resolved.routes.email else { return [] }
        let domain = String(from.address.text.drop { $0 != "@" }.dropFirst())
        async let state = self.state(of: server, from: from)
        async let sender = nameServers.texts(of: domain)
        async let policies = texts(of: Self.policyNames(domain))
        async let keys = texts(of: selectors.map { "\($0)._domainkey.\(domain)" })
        let host = Self.host(of: server)
        let records = await keys
        return [
            MailServerCheck(
                server: server.origin, state: await state, isLoopback: IPAddress.isLoopback(host: host)),
            SPFCheck(domain: domain, records: await sender),
            DKIMCheck(domain: domain, selectors: zip(selectors, records).map { (name: $0, records: $1) }),
            DMARCCheck(domain: domain, records: await policies),
        ]
    }

    private func state(of server: SMTPServer, from: Mailbox) async -> MailServerState {
        switch await OutsideExamination.lookup(Self.host(of: server)) {
        case .found: break
        case .noSuchName: return .noSuchName
        case .unanswered: return .offline("No resolver answers on this machine.")
        }
        return switch await server.examine(from: from) {
        case .ready: .ready(isEncrypted: server.isEncrypted)
        case .noSuchName: .noSuchName
        case .unreachable: .unreachable
        case .timedOut: .timedOut
        case .withoutTLS: .withoutTLS
        case .untrusted: .untrusted
        case .loginRefused: .loginRefused
        case .failed(let reason): .failed(reason)
        }
    }

    private static func host(of server: SMTPServer) -> String {
        URLComponents(string: server.origin)?.host ?? server.origin
    }

    private func texts(of names: [String]) async -> [TextRecords] {
        await withTaskGroup(of: (Int, TextRecords).self) { group in
            for (index, name) in names.enumerated() { group.addTask { (index, await nameServers.texts(of: name)) } }
            let found = await group.reduce(into: [Int: TextRecords]()) { $0[$1.0] = $1.1 }
            return names.indices.map { found[$0] ?? .unanswered }
        }
    }

    /// Returns the names of DMARC records: of the domain, and of each domain above it below the top level.
    private static func policyNames(_ domain: String) -> [String] {
        var labels = domain.split(separator: ".")
        var names = ["_dmarc.\(domain)"]
        while labels.count > 2 {
            labels.removeFirst()
            names.append("_dmarc.\(labels.joined(separator: "."))")
        }
        return names
    }
}

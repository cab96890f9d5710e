/// The sender's domain says what receivers do with forged mail. Source: RFC 7489.
package struct DMARCCheck: DoctorCheck {
    package static let name = "dmarc"

    let domain: String
    /// The records of the domain, then those of each domain above it.
    let records: [TextRecords]

    package init(domain: String, records: [TextRecords]) {
        self.domain = domain
        self.records = records
    }

    package func findings() -> [DoctorFinding] { [finding] }

    private var finding: DoctorFinding {
        for (level, answer) in records.enumerated() {
            guard case .records(let all) = answer else {
                return skipped("No name server answers on this machine.", subject: domain)
            }
            let found = all.map { RecordTags($0) }.filter { $0.first?.name == "v" && $0.first?.value == "DMARC1" }
            guard let record = found.first else { continue }
            guard found.count == 1 else {
                return error(
                    "dmarc_repeated", "The domain has \(found.count) DMARC records, which receivers ignore.",
                    subject: domain, remedy: "Keep one of them.")
            }
            let policy = (level > 0 ? record["sp"] : nil) ?? record["p"]
            guard let policy, ["none", "quarantine", "reject"].contains(policy.lowercased()) else {
                return error(
                    "dmarc_invalid", "The DMARC record has no valid policy.", subject: domain,
                    remedy: "Set p=quarantine or p=reject in it.")
            }
            guard policy.lowercased() != "none" else {
                return warning(
                    "dmarc_none", "The DMARC policy is none, so that forged mail is delivered.", subject: domain,
                    remedy: "Set p=quarantine or p=reject when the reports show your own mail as aligned.")
            }
            return ok("The DMARC policy is \(policy.lowercased()).", subject: domain)
        }
        return warning(
            "dmarc_missing", "The domain of the sender has no DMARC record.", subject: domain,
            remedy:
                "Add a TXT record at _dmarc.\(domain), such as: v=DMARC1; p=quarantine; rua=mailto:postmaster@\(domain)"
        )
    }
}

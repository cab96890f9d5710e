/// The sender's domain names the servers that may send its mail. Source: RFC 7208.
package struct SPFCheck: DoctorCheck {
    package static let name = "spf"

    let domain: String
    let records: TextRecords

    package init(domain: String, records: TextRecords) {
        self.domain = domain
        self.records = records
    }

    package func findings() -> [DoctorFinding] { [finding] }

    private var finding: DoctorFinding {
        guard case .records(let all) = records else {
            return skipped("No name server answers on this machine.", subject: domain)
        }
        let found = all.map { $0.lowercased() }.filter { $0 == "v=spf1" || $0.hasPrefix("v=spf1 ") }
        guard let record = found.first else {
            return warning(
                "spf_missing", "The domain of the sender has no SPF record.", subject: domain,
                remedy: "Add the TXT record that the mail provider names, such as: v=spf1 include:_spf.example.net -all"
            )
        }
        guard found.count == 1 else {
            return error(
                "spf_repeated", "The domain has \(found.count) SPF records, which receivers treat as an error.",
                subject: domain, remedy: "Merge them into one TXT record.")
        }
        let terms = record.split(separator: " ").dropFirst()
        if terms.contains(where: { $0 == "+all" || $0 == "all" }) {
            return error(
                "spf_allows_all", "The SPF record lets every server send mail of the domain.", subject: domain,
                remedy: "End the record with -all or ~all.")
        }
        guard terms.contains(where: { $0 == "-all" || $0 == "~all" || $0.hasPrefix("redirect=") }) else {
            return warning(
                "spf_open", "The SPF record says nothing of other servers.", subject: domain,
                remedy: "End the record with -all or ~all.")
        }
        return ok("The domain of the sender has an SPF record.", subject: domain)
    }
}

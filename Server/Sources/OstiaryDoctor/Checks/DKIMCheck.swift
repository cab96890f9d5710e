/// The sender's domain has the key that the mail provider signs with. Source: RFC 6376.
package struct DKIMCheck: DoctorCheck {
    package static let name = "dkim"

    let domain: String
    /// The records of each selector, which only the mail provider knows.
    let selectors: [(name: String, records: TextRecords)]

    package init(domain: String, selectors: [(name: String, records: TextRecords)]) {
        self.domain = domain
        self.selectors = selectors
    }

    package func findings() -> [DoctorFinding] {
        guard !selectors.isEmpty else {
            return [
                skipped(
                    "The selector of the mail provider's signatures is unknown.", subject: domain,
                    remedy: "Pass --dkim-selector with the name before ._domainkey that the provider shows.")
            ]
        }
        return selectors.map { finding("\($0.name)._domainkey.\(domain)", $0.records) }
    }

    private func finding(_ name: String, _ records: TextRecords) -> DoctorFinding {
        guard case .records(let all) = records else {
            return skipped("No name server answers on this machine.", subject: name)
        }
        let keys = all.map { RecordTags($0) }.filter { $0["p"] != nil && ($0["v"] ?? "DKIM1") == "DKIM1" }
        guard let key = keys.first?["p"] else {
            return error(
                "dkim_missing", "There is no key of this selector.", subject: name,
                remedy: "Add the record that the mail provider shows, or correct the selector.")
        }
        guard !key.isEmpty else {
            return error(
                "dkim_revoked", "The key of this selector is revoked.", subject: name,
                remedy: "Ask the mail provider for the selector in use.")
        }
        return ok("The key of this selector is there.", subject: name)
    }
}

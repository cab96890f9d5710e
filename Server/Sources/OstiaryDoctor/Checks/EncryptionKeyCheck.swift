/// A change of the encryption key is brought to its end.
package struct EncryptionKeyCheck: DoctorCheck {
    package static let name = "encryption_keys"

    let facts: Observed<EncryptionKeyFacts>

    package init(facts: Observed<EncryptionKeyFacts>) { self.facts = facts }

    package func findings() -> [DoctorFinding] {
        switch facts {
        case .unknown(let reason): return [skipped(reason)]
        case .value(let facts): return findings(facts)
        }
    }

    private func findings(_ facts: EncryptionKeyFacts) -> [DoctorFinding] {
        var findings: [DoctorFinding] = []
        if facts.unreadableValues > 0 {
            findings.append(
                error(
                    "unreadable_values", "No configured key opens \(facts.unreadableValues) stored values.",
                    remedy: "Add the key that sealed them to encryption_keys; ostiary store check names their kinds."))
        }
        if facts.keyCount < 2 {
            return findings.isEmpty ? [ok("One encryption key is configured.")] : findings
        }
        if facts.earlierValues > 0 {
            findings.append(
                warning(
                    "earlier_key_in_use",
                    "An earlier encryption key is still needed by \(facts.isComplete ? "" : "at least ")\(facts.earlierValues) stored values.",
                    remedy: "Run ostiary keys rotate-encryption: servers continue, and nobody is signed out."))
        } else if !facts.isComplete {
            findings.append(
                skipped(
                    "The store has too many sealed values to examine here.",
                    remedy: "Run ostiary keys rotate-encryption --check."))
        } else if findings.isEmpty {
            findings.append(
                warning(
                    "earlier_key_unused", "No stored value needs the earlier encryption keys any more.",
                    remedy:
                        "Remove them from encryption_keys a day after the rotation, when no link that they sealed is valid."
                ))
        }
        return findings
    }
}

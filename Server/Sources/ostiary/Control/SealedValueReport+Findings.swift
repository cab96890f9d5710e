import OstiaryStore

extension SealedValueReport {
    /// The findings of a check of the store.
    var findings: [StoreFinding] {
        lines.flatMap { line -> [StoreFinding] in
            var findings: [StoreFinding] = []
            if line.unreadable > 0 {
                findings.append(
                    StoreFinding(
                        .problem, code: "unreadable_values", subject: line.kind, count: line.unreadable,
                        remedy: Self.unreadableRemedy))
            }
            if line.earlier > 0 {
                findings.append(
                    StoreFinding(
                        .note, code: "earlier_key", subject: line.kind, count: line.earlier,
                        remedy: "An earlier encryption key is in use: run ostiary keys rotate-encryption."))
            }
            return findings
        }
    }
}

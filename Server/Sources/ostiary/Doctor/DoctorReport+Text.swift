import OstiaryDoctor

extension DoctorReport {
    /// The findings as a table, and the remedies below it.
    var text: String {
        var table = Table("", "FINDING", "WHERE", "")
        var text = table.lines(findings.map { [$0.severity.rawValue, $0.title, $0.subject, $0.message] })
        for finding in findings where finding.remedy != nil {
            let place = finding.subject.map { " (\($0))" } ?? ""
            text += "\n" + TerminalText.escaped("\(finding.title)\(place): \(finding.remedy ?? "")")
        }
        text += findings.contains { $0.remedy != nil } ? "\n\n" : ""
        return text + "\(summary)\n"
    }

    private var summary: String {
        func count(_ severity: DoctorFinding.Severity) -> Int { findings.count { $0.severity == severity } }
        let (errors, warnings) = (count(.error).counting("error"), count(.warning).counting("warning"))
        return "\(errors), \(warnings), \(count(.skipped)) skipped, \(count(.ok)) ok"
    }
}

extension DoctorFinding {
    /// The code, or the check's name where nothing is wrong.
    fileprivate var title: String { severity == .ok || severity == .skipped ? check : code }
}

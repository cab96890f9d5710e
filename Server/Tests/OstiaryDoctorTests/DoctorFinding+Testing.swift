import OstiaryDoctor

extension [DoctorFinding] {
    /// The severity and the code of each finding.
    var summary: [String] { map { "\($0.severity.rawValue) \($0.code)" } }
}

extension DoctorCheck {
    /// The severity and the code of each finding.
    var summary: [String] { findings().summary }
}

package import Foundation

/// The findings of all checks, as one document.
package struct DoctorReport: Codable, Sendable {
    /// The version of the program.
    package var version: String
    package var checkedAt: Date
    package var status: DoctorFinding.Severity
    package var findings: [DoctorFinding]

    private enum CodingKeys: String, CodingKey {
        case version, status, findings
        case checkedAt = "checked_at"
    }

    package init(version: String, checkedAt: Date, checks: [any DoctorCheck]) {
        self.version = version
        self.checkedAt = checkedAt
        findings = checks.flatMap { $0.findings() }
        let severities = findings.map(\.severity)
        status = severities.contains(.error) ? .error : severities.contains(.warning) ? .warning : .ok
    }

    /// - Parameter isStrict: `true` if warnings count as errors.
    package func fails(isStrict: Bool) -> Bool { status == .error || (isStrict && status == .warning) }
}

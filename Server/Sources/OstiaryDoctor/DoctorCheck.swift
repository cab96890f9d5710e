/// A judgement of facts that were gathered before: pure, without clock and without input.
package protocol DoctorCheck: Sendable {
    /// The stable name of the check.
    static var name: String { get }

    /// Returns at least one finding.
    func findings() -> [DoctorFinding]
}

extension DoctorCheck {
    func ok(_ message: String, subject: String? = nil) -> DoctorFinding {
        DoctorFinding(severity: .ok, check: Self.name, code: "ok", subject: subject, message: message)
    }

    /// - Parameter reason: One sentence that says why nothing was judged.
    func skipped(_ reason: String, subject: String? = nil, remedy: String? = nil) -> DoctorFinding {
        DoctorFinding(
            severity: .skipped, check: Self.name, code: "skipped", subject: subject, message: reason, remedy: remedy)
    }

    func warning(_ code: String, _ message: String, subject: String? = nil, remedy: String) -> DoctorFinding {
        DoctorFinding(
            severity: .warning, check: Self.name, code: code, subject: subject, message: message, remedy: remedy)
    }

    func error(_ code: String, _ message: String, subject: String? = nil, remedy: String) -> DoctorFinding {
        DoctorFinding(
            severity: .error, check: Self.name, code: code, subject: subject, message: message, remedy: remedy)
    }
}

/// One result of a check of a deployment. Contains no secret, and nothing of an account.
package struct DoctorFinding: Codable, Hashable, Sendable {
    package enum Severity: String, Codable, Sendable { case ok, warning, error, skipped }

    package var severity: Severity
    /// The name of the check, which never changes.
    package var check: String
    /// The stable name of the kind of finding; `ok` and `skipped` where nothing is wrong.
    package var code: String
    /// The file, host, app or other thing that was checked; nil where there is one only.
    package var subject: String?
    /// One sentence.
    package var message: String
    /// The next action of an operator; nil where none is needed.
    package var remedy: String?
}

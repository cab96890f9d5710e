/// The checks from outside, where none can be made.
package struct OutsideCheck: DoctorCheck {
    package static let name = "outside"

    let reason: String

    package init(reason: String) { self.reason = reason }

    package func findings() -> [DoctorFinding] { [skipped(reason)] }
}

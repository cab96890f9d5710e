/// A check, on this device, that the person who holds it is one the device recognises: by face, finger, or passcode.
///
/// On Apple's platforms it is implemented with `LAContext`. The result is valid on this device only; no server relies
/// on it.
public protocol BiometricGate: Sendable {
    /// Returns the readiness to prompt the person, without a prompt.
    func readiness() async -> GateReadiness
    /// Prompts the person and returns the result. When the task is cancelled, closes the prompt and returns
    /// ``GateAnswer/cancelled``.
    ///
    /// - Parameter reason: A short sentence that the prompt shows to the person; not empty.
    func ask(_ reason: String) async -> GateAnswer
}

/// The biometric enrolment of a device: the faces and fingers it recognises, in the system's opaque form. The form
/// changes when the enrolment does.
public struct GateEnrolment: Hashable, Sendable {
    /// The opaque form of the enrolment; empty for ``unknown``.
    public let bytes: [UInt8]
    /// The major version of the system that produced the form; `nil` if forms of any two versions are comparable.
    public let system: Int?

    /// Creates an enrolment from its parts.
    public init(_ bytes: [UInt8], system: Int? = nil) {
        self.bytes = bytes
        self.system = system
    }

    /// The enrolment of a device that cannot report it at the moment. It is neither compared nor stored.
    public static let unknown = GateEnrolment([])

    /// Returns `true` if the enrolments are known to differ: both are known, of the same system version, with other
    /// bytes.
    func isOther(than former: GateEnrolment) -> Bool {
        self != .unknown && former != .unknown && system == former.system && bytes != former.bytes
    }
}

/// The readiness of a device to prompt the person who holds it.
public enum GateReadiness: Hashable, Sendable {
    /// A prompt is possible, with this enrolment: `nil` if the device has no face and no finger enrolled, as with a
    /// passcode alone; ``GateEnrolment/unknown`` if it does not report its enrolment.
    case ready(GateEnrolment?)
    /// The device has no face, no finger and no passcode enrolled.
    case nobodyEnrolled
    /// Too many attempts failed; the device requires its passcode first.
    case lockedOut
    /// A prompt is not possible now, or not for this app.
    case unavailable
}

/// The result of a prompt.
public enum GateAnswer: Hashable, Sendable {
    /// The device recognised the person; the value is its enrolment, as in ``GateReadiness/ready(_:)``.
    case passed(GateEnrolment?)
    /// The person cancelled, or the system removed the prompt.
    case cancelled
    /// The device did not recognise the person.
    case failed
    /// Too many attempts failed; the device requires its passcode first.
    case lockedOut
    /// The prompt was not possible now, or not for this app.
    case unavailable
}

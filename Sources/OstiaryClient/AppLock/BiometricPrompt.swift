/// A check, on this device, that the person who holds it is one the device recognises: by face, finger, or passcode.
///
/// On Apple's platforms it is implemented with `LAContext`. The result is valid on this device only; no server relies
/// on it.
public protocol BiometricPrompt: Sendable {
    /// Returns the readiness to prompt the person, without a prompt.
    func readiness() async -> BiometricReadiness
    /// Prompts the person and returns the result. When the task is cancelled, closes the prompt and returns
    /// ``BiometricPromptResult/cancelled``.
    ///
    /// - Parameter reason: A short sentence that the prompt shows to the person; not empty.
    func ask(_ reason: String) async -> BiometricPromptResult
}

/// The biometric enrolment of a device: the faces and fingers it recognises, in the system's opaque form. The form
/// changes when the enrolment does.
public struct BiometricEnrolment: Hashable, Sendable {
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
    public static let unknown = BiometricEnrolment([])

    /// Returns `true` if the enrolments are known to differ: both are known, of the same system version, with other
    /// bytes.
    func isOther(than former: BiometricEnrolment) -> Bool {
        self != .unknown && former != .unknown && system == former.system && bytes != former.bytes
    }
}

/// The readiness of a device to prompt the person who holds it.
public enum BiometricReadiness: Hashable, Sendable {
    /// A prompt is possible, with this enrolment: `nil` if the device has no face and no finger enrolled, as with a
    /// passcode alone; ``BiometricEnrolment/unknown`` if it does not report its enrolment.
    case ready(BiometricEnrolment?)
    /// The device has no face, no finger and no passcode enrolled.
    case notEnrolled
    /// Too many attempts failed; the device requires its passcode first.
    case lockedOut
    /// A prompt is not possible now, or not for this app.
    case unavailable
}

/// The result of a prompt.
public enum BiometricPromptResult: Hashable, Sendable {
    /// The device recognised the person; the value is its enrolment, as in ``BiometricReadiness/ready(_:)``.
    case passed(BiometricEnrolment?)
    /// The person cancelled, or the system removed the prompt.
    case cancelled
    /// The device did not recognise the person.
    case failed
    /// Too many attempts failed; the device requires its passcode first.
    case lockedOut
    /// The prompt was not possible now, or not for this app.
    case unavailable
}

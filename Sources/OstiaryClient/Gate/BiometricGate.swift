/// Makes sure, on this device, that the person who holds it is the one it knows: by face, finger, or passcode.
///
/// On Apple's platforms this is LAContext. What it says is for this device alone; no server believes it.
public protocol BiometricGate: Sendable {
    /// Whether somebody can be asked, without asking.
    func readiness() async -> GateReadiness
    /// Asks the person. When the task is cancelled, it closes the prompt and answers ``GateAnswer/cancelled``.
    ///
    /// - Parameter reason: What the person is told, in a short sentence; not empty.
    func ask(_ reason: String) async -> GateAnswer
}

/// Whose faces and fingers a device knows, in the system's own opaque form: another one when that changes.
public struct GateEnrolment: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }
}

public enum GateReadiness: Hashable, Sendable {
    /// Nil where the system does not tell whom it knows, as with a passcode alone.
    case ready(GateEnrolment?)
    /// The device knows nobody: no face, no finger, no passcode.
    case nobodyEnrolled
    /// Too many wrong tries: the device wants its passcode first.
    case lockedOut
    /// Not now, or not for this app.
    case unavailable
}

public enum GateAnswer: Hashable, Sendable {
    /// It is one of those the device knows, of whom this is the form.
    case passed(GateEnrolment?)
    /// The person gave up, or the system took the prompt away.
    case cancelled
    /// It is somebody else.
    case failed
    case lockedOut
    case unavailable
}

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
    /// The major version of the system whose form it is; nil where forms of any two versions can be compared.
    public let system: Int?

    public init(_ bytes: [UInt8], system: Int? = nil) {
        self.bytes = bytes
        self.system = system
    }

    /// What a device says that cannot tell whom it knows at the moment. It is neither compared nor kept.
    public static let unknown = GateEnrolment([])

    /// Whether these are others, as far as that can be told.
    func isOther(than former: GateEnrolment) -> Bool {
        self != .unknown && former != .unknown && system == former.system && bytes != former.bytes
    }
}

public enum GateReadiness: Hashable, Sendable {
    /// Nil where the device knows no face and no finger, as with a passcode alone; ``GateEnrolment/unknown`` where it does not
    /// tell.
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

/// When a session that is kept on a device is locked until its owner shows themselves.
///
/// Signing in opens it: whoever has just done that need not be asked again.
public enum GatePolicy: Hashable, Sendable {
    /// Never.
    case never
    /// Whenever the app is not in front: from its start, and from the moment it leaves the foreground. Nothing is sent in
    /// the background.
    case always
    /// From the app's start, and each time it comes to the foreground. What runs in the background goes on.
    case onForeground
    /// From the app's start, and once it was in the background for that long.
    case afterBackground(Duration)
}

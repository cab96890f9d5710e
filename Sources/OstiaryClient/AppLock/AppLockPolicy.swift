/// The conditions under which a session on a device is locked until its owner passes the biometric prompt.
///
/// A sign-in unlocks the session, as it proves the owner's presence.
public enum AppLockPolicy: Hashable, Sendable {
    /// The session is never locked.
    case never
    /// The session is locked whenever the app is not in the foreground: from its start, and from the moment it leaves
    /// the foreground. No requests are sent in the background.
    case always
    /// The session is locked from the app's start, and each time the app enters the foreground. Work in the background
    /// continues.
    case onForeground
    /// The session is locked from the app's start, and once the app has been in the background for this duration.
    case afterBackground(Duration)
}

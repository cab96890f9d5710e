/// A store whose reads require a user-presence prompt first, such as a biometric one.
///
/// The prompt itself makes an app inactive and active again. So only an app that was in the background counts as having
/// come to the foreground.
protocol InteractiveSessionStore: SessionStore {
    /// Notes that the app has left the foreground: no prompt is shown, and the person's earlier answer is forgotten.
    func didEnterBackground()
    /// Notes that the app has come to the foreground.
    func willEnterForeground()
    /// Makes the next read prompt the person again, regardless of their earlier answer.
    func retry()
}

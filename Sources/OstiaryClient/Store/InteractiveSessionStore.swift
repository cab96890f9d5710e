/// A store whose reads require a user-presence prompt first, such as a biometric one.
///
/// The prompt itself makes an app inactive and active again. So only an app that was in the background counts as having
/// entered the foreground.
protocol InteractiveSessionStore: SessionStore {
    /// Records that the app has entered the background: no prompt is shown, and the person's earlier answer is
    /// forgotten.
    func didEnterBackground()
    /// Records that the app has entered the foreground.
    func willEnterForeground()
    /// Makes the next read prompt the person again, regardless of their earlier answer.
    func retry()
}

import OstiaryClient

/// The app counts as in the background only while all its scenes are. ``AuthView`` reports its own scene; an app
/// without it calls either the methods for scenes or the methods for the app, not both.
extension AuthViewModel {
    // MARK: Scenes

    /// Reports that a scene enters the foreground. Call it before the scene shows anything.
    ///
    /// - Parameter scene: An identifier of the scene, for example `UISceneSession.persistentIdentifier`.
    public func sceneWillEnterForeground(_ scene: String) { change { $0.willEnterForeground(scene) } }

    /// Reports that a scene entered the background.
    ///
    /// Has no effect for a scene that was never in the foreground.
    public func sceneDidEnterBackground(_ scene: String) { change { $0.didEnterBackground(scene) } }

    /// Reports that a scene is gone. If the remaining scenes are all in the background, the app is.
    public func sceneDidDisconnect(_ scene: String) { change { $0.disconnect(scene) } }

    private func change(_ change: (inout SceneActivity) -> Void) {
        change(&scenes)
        switch (isInBackground, scenes.isInBackground) {
        case (false, true): didEnterBackground()
        // An app whose last scene was closed in the background is still in the background.
        case (true, false) where !scenes.isEmpty: willEnterForeground()
        default: break
        }
    }

    // MARK: The app

    /// Reports that the app entered the background, as `UIApplication.didEnterBackgroundNotification` does.
    public func didEnterBackground() {
        isInBackground = true
        auth.didEnterBackground()
    }

    /// Reports that the app enters the foreground. Call it before the app shows anything.
    public func willEnterForeground() {
        auth.startForegroundWork()
        if isSignedIn, auth.state == .locked { take(.locked) }
        isInBackground = false
    }
}

import OstiaryClient

extension ClientOptions {
    /// A session that opens for its owner alone: for a face or a finger, or else the device's passcode, each time that the app
    /// comes to the front. The Info.plist says why, at `NSFaceIDUsageDescription`.
    ///
    /// For an app that is to lock.
    static func locking() -> ClientOptions {
        var options = ClientOptions()
        options.biometricPrompt = LocalAuthenticationPrompt(allowsPasscode: true)
        return options
    }
}

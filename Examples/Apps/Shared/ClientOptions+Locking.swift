import OstiaryClient

extension ClientOptions {
    /// Returns options for an app that locks: only its owner unlocks the session, with a face or a finger, or else the
    /// device's passcode, each time that the app enters the foreground. The Info.plist states the reason, at
    /// `NSFaceIDUsageDescription`.
    static func locking() -> ClientOptions {
        var options = ClientOptions()
        options.biometricPrompt = LocalAuthenticationPrompt(allowsPasscode: true)
        return options
    }
}

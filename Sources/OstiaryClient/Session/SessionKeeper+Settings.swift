extension SessionKeeper {
    struct Settings: Sendable {
        /// `true` to keep other accounts signed in when a person signs in.
        var keepsSeveralAccounts = false
        /// `true` to verify the session with the server at start.
        var verifiesAtStart = true
    }
}

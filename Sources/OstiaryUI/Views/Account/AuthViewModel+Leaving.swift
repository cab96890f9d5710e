#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
extension AuthViewModel {
    /// Ends the action of a disappearing account screen. Call it in `onDisappear`.
    ///
    /// Only the action of that screen is cancelled: the screen below appears earlier and may have started actions of
    /// its own.
    func leaveScreen(of form: AuthForm) {
        let action = AuthAction.form(form)
        if !action.outlivesItsScreen { abandon(action) }
        fields.forgetSecrets()
        visitedEntries = []
        if let error, error.entry == .password || error.entry == .newPassword || error.canRetry { dismissError() }
    }
}

extension AuthNotice {
    /// Returns `true` if the notice is about an action on the account, whose screens show it.
    var isOfAccount: Bool { self == .passwordChanged || self == .profileSaved || isOfFactors }

    /// Returns `true` if the notice is about a change of a second factor.
    var isOfFactors: Bool { self == .factorAdded || self == .factorRenamed || self == .factorRemoved }
}
#endif

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
extension AuthViewModel {
    /// For `onDisappear` of a screen in the account.
    ///
    /// Only what that screen began ends. The one below it appears before this one is gone, and has begun its own things.
    func leaveScreen(of form: AuthForm) {
        let action: AuthAction = form == .changePassword ? .changePassword : .deleteAccount
        if !action.outlivesItsScreen { abandon(action) }
        fields.forgetSecrets()
        left = []
        if let error, error.entry == .password || error.entry == .newPassword || error.canRetry { dismissError() }
    }
}

extension AuthNotice {
    /// Whether it is about something that was done in the account, and said there.
    var isOfAccount: Bool { self == .passwordChanged || self == .profileSaved }
}
#endif

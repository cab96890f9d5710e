#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import Foundation
public import OstiaryClient
public import SwiftUI

extension View {
    /// Passes URLs that open the app to a pending sign-in in the browser, and all others to `otherwise`.
    ///
    /// Without a pending sign-in the client receives no URL: an attacker can make a device open a URL of the app with
    /// an authorization code of the attacker's own.
    ///
    /// - Parameters:
    ///   - auth: The client of the pending sign-in.
    ///   - otherwise: Receives the other URLs, for example to read them with `AppLinks`.
    public func onSignInURL(
        _ auth: AuthClient, otherwise: @escaping @MainActor (URL) -> Void = { _ in }
    ) -> some View {
        onOpenURL { url in
            if !auth.open(url) { otherwise(url) }
        }
    }
}
#endif

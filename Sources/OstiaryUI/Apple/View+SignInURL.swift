#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import Foundation
public import OstiaryClient
public import SwiftUI

extension View {
    /// Gives addresses that the system opens in the app to a sign-in that waits for one, and all others to `otherwise`.
    ///
    /// While no sign-in waits, none is given to the client: anybody can make a device open an address of the app, with a
    /// code of their own in it.
    ///
    /// - Parameter otherwise: For example reads the address with `AppLinks`.
    public func onSignInURL(
        _ auth: AuthClient, otherwise: @escaping @MainActor (URL) -> Void = { _ in }
    ) -> some View {
        onOpenURL { url in
            if !auth.open(url) { otherwise(url) }
        }
    }
}
#endif

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// The screens on top of a sign-in, shared by ``AuthView`` and the sign-in sheets below it.
///
/// With it, a link that opens the app shows its screen in a sheet that is already open.
@MainActor
@Observable
final class EntryNavigation {
    var path: [AuthForm] = []
    /// The number of sign-in sheets on screen.
    @ObservationIgnored var openSheets = 0
}

private struct EntryNavigationKey: EnvironmentKey {
    static var defaultValue: EntryNavigation? { nil }
}

extension EnvironmentValues {
    /// The navigation of the surrounding ``AuthView``; `nil` outside of one.
    var entryNavigation: EntryNavigation? {
        get { self[EntryNavigationKey.self] }
        set { self[EntryNavigationKey.self] = newValue }
    }
}
#endif

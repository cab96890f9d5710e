#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// The screens on top of a sign-in, shared by ``AuthView`` and the sign-in sheets below it.
///
/// A link that opens the app then leads to its screen in the sheet that is open already.
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
    /// Nil outside an ``AuthView``.
    var entryNavigation: EntryNavigation? {
        get { self[EntryNavigationKey.self] }
        set { self[EntryNavigationKey.self] = newValue }
    }
}
#endif

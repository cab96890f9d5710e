#if canImport(SwiftUI)
public import OstiaryClient
public import SwiftUI

private struct BrowserPresenterKey: EnvironmentKey {
    static let defaultValue: (any BrowserPresenter)? = nil
}

private struct CoveredKey: EnvironmentKey {
    static let defaultValue = false
}

extension EnvironmentValues {
    /// What opens the pages of a sign-in; nil where the app has none, and then no button needs one.
    public var authBrowser: (any BrowserPresenter)? {
        get { self[BrowserPresenterKey.self] }
        set { self[BrowserPresenterKey.self] = newValue }
    }

    /// Whether another screen lies on top. A covered one still hears of changes, and takes no focus for them.
    var isCovered: Bool {
        get { self[CoveredKey.self] }
        set { self[CoveredKey.self] = newValue }
    }
}
#endif

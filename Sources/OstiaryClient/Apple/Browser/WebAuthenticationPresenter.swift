#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import AuthenticationServices

/// A browser presenter that shows the pages of a sign-in in the system's sheet, with `ASWebAuthenticationSession`.
///
/// One page at a time. A page that ends at an https address needs that host among the app's associated domains, with
/// the service `webcredentials`. A custom scheme needs no configuration, since the sheet itself waits for it.
public final class WebAuthenticationPresenter: BrowserPresenter {
    private let window: @MainActor @Sendable () -> ASPresentationAnchor?
    private let tryLock = TryLock()

    /// Creates a presenter that shows its sheet over the app's frontmost window.
    public convenience init() { self.init { PresentationWindow.current } }

    /// Creates a presenter that shows its sheet over a given window.
    ///
    /// - Parameter window: Returns the window for the sheet; called for each page. `nil` if the app has no window.
    public init(over window: @escaping @MainActor @Sendable () -> ASPresentationAnchor?) { self.window = window }

    /// Opens the page and waits until the browser is sent to its callback. When the task is cancelled, closes the
    /// sheet.
    ///
    /// - Returns: The callback's address with its query, unchanged.
    /// - Throws: ``BrowserPresenterProblem/cancelled`` if the person closed the sheet or the task was cancelled;
    ///   ``BrowserPresenterProblem/misconfigured(_:)`` if another page is open, the app has no window, the callback is
    ///   a loopback address, or the system refuses.
    public func address(endingAt page: BrowserPage) async throws(BrowserPresenterProblem) -> String {
        let callback = try page.callback.ofSystem()
        guard !Task.isCancelled else { throw .cancelled }
        guard tryLock.take() else { throw .misconfigured("another page is open") }
        defer { tryLock.giveBack() }
        guard let window = await window() else { throw .misconfigured("the app has no window to show it over") }
        let sheet = await WebAuthenticationSheet(over: window)
        let answer = await withTaskCancellationHandler {
            await sheet.open(page, until: callback)
            return await withCheckedContinuation { sheet.answer.begin($0) }
        } onCancel: {
            Task { @MainActor in sheet.close() }
        }
        // The last use of the sheet, which keeps it and its session alive until here.
        await sheet.release()
        return try answer.get()
    }
}

extension BrowserPage.Callback {
    /// Returns the callback in the system's form.
    ///
    /// - Throws: ``BrowserPresenterProblem/misconfigured(_:)`` for a loopback callback, which the system does not
    ///   support.
    package func ofSystem() throws(BrowserPresenterProblem) -> ASWebAuthenticationSession.Callback {
        switch self {
        case .customScheme(let scheme): .customScheme(scheme)
        case .https(let host, let path): .https(host: host, path: path)
        case .loopback: throw .misconfigured("the system's browser does not come back to a listener of this process")
        }
    }
}
#endif

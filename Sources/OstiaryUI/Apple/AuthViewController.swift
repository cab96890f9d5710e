#if canImport(SwiftUI) && canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import OstiaryClient
public import SwiftUI

#if canImport(UIKit)
public import UIKit
/// The hosting controller of the platform, from UIKit.
public typealias AuthHostingController = UIHostingController<AnyView>
/// A view controller that can present the sign-in, from UIKit.
public typealias AuthPresentingController = UIViewController
#else
public import AppKit
/// The hosting controller of the platform, from AppKit.
public typealias AuthHostingController = NSHostingController<AnyView>
/// A view controller that can present the sign-in, from AppKit.
public typealias AuthPresentingController = NSViewController
#endif

/// The receiver of an ``AuthViewController``'s result.
@MainActor
public protocol AuthViewControllerDelegate: AnyObject {
    /// Reports that the sign-in has completed. The controller dismisses itself.
    func authViewController(_ controller: AuthViewController, didSignIn session: SessionSnapshot)
    /// Reports that the person has cancelled the sign-in or swiped it away. The controller dismisses itself.
    func authViewControllerDidCancel(_ controller: AuthViewController)
}

/// The screens of a sign-in for an app of UIKit or AppKit, to be presented modally.
///
/// One controller serves one sign-in: it calls its delegate once. Without a scene of SwiftUI the app itself calls
/// ``AuthViewModel/willEnterForeground()`` and ``AuthViewModel/didEnterBackground()``.
@MainActor
public final class AuthViewController: AuthHostingController {
    /// The receiver of the result.
    public weak var delegate: (any AuthViewControllerDelegate)?
    /// The view model of the screens.
    public let model: AuthViewModel
    private var continuation: CheckedContinuation<SessionSnapshot?, Never>?
    private var isFinished = false

    /// Creates a controller that shares a view model with the app.
    ///
    /// - Parameters:
    ///   - model: The view model that the rest of the app uses too.
    ///   - theme: The look of the screens.
    public init(model: AuthViewModel, theme: AuthTheme = AuthTheme()) {
        self.model = model
        super.init(rootView: AnyView(EmptyView()))
        rootView = AnyView(
            SignInSheet(model: model, slots: AuthSlots()) { [weak self] in self?.finish() }.authTheme(theme))
    }

    /// Creates a controller with a view model of its own.
    ///
    /// - Parameters:
    ///   - auth: The client to sign in with.
    ///   - theme: The look of the screens.
    public convenience init(_ auth: AuthClient, theme: AuthTheme = AuthTheme()) {
        self.init(model: AuthViewModel(auth), theme: theme)
    }

    /// Returns `nil`: the controller is created in code only.
    public required init?(coder: NSCoder) { return nil }

    /// Presents the sign-in and waits until it ends.
    ///
    /// Cancelling the task dismisses the controller.
    ///
    /// - Returns: The session; `nil` if the person cancelled, the task is cancelled, the presenter cannot present (it
    ///   presents another controller already, for example), or the controller was used before.
    public func signIn(presentedBy presenter: AuthPresentingController) async -> SessionSnapshot? {
        guard !isFinished, continuation == nil, !Task.isCancelled else { return nil }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.continuation = continuation
                #if canImport(UIKit)
                presenter.present(self, animated: true)
                #else
                presenter.presentAsSheet(self)
                #endif
                // A presenter that cannot present reports nothing.
                if presentingViewController == nil { complete() }
            }
        } onCancel: {
            Task { @MainActor in self.finish() }
        }
    }

    #if canImport(UIKit)
    /// Reports the result once the controller has been dismissed.
    public override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        if isBeingDismissed { complete() }
    }
    #else
    /// Reports the result once the controller has been dismissed.
    public override func viewDidDisappear() {
        super.viewDidDisappear()
        if presentingViewController == nil { complete() }
    }
    #endif

    private func finish() {
        complete()
        #if canImport(UIKit)
        presentingViewController?.dismiss(animated: true)
        #else
        presentingViewController?.dismiss(self)
        #endif
    }

    private func complete() {
        guard !isFinished else { return }
        isFinished = true
        let session: SessionSnapshot? = if case .signedIn(let session, _) = model.state { session } else { nil }
        continuation?.resume(returning: session)
        continuation = nil
        if let session {
            delegate?.authViewController(self, didSignIn: session)
        } else {
            delegate?.authViewControllerDidCancel(self)
        }
    }
}
#endif

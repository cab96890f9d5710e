// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
@_exported import Foundation

@MainActor open class NSResponder: NSObject {}
@MainActor open class NSWindow: NSResponder {
    public var isVisible = true
    public override init() { super.init() }
}
@MainActor open class NSApplication: NSResponder {
    public static let shared = NSApplication()
    public var keyWindow: NSWindow?
    public var windows: [NSWindow] = []
}
public struct NSTextContentType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let username = Self(rawValue: "username")
    public static let password = Self(rawValue: "password")
    public static let newPassword = Self(rawValue: "newPassword")
    public static let oneTimeCode = Self(rawValue: "oneTimeCode")
    public static let emailAddress = Self(rawValue: "emailAddress")
    public static let name = Self(rawValue: "name")
    public static let telephoneNumber = Self(rawValue: "telephoneNumber")
}

@MainActor open class NSViewController: NSResponder {
    public init(nibName: String?, bundle: Bundle?) { super.init() }
    public override init() { super.init() }
    public required init?(coder: NSCoder) { return nil }
    public private(set) var presentedViewControllers: [NSViewController]?
    public private(set) weak var presentingViewController: NSViewController?
    open func viewDidDisappear() {}
    open func presentAsSheet(_ viewController: NSViewController) {
        presentedViewControllers = (presentedViewControllers ?? []) + [viewController]
        viewController.presentingViewController = self
    }
    open func dismiss(_ viewController: NSViewController) {
        presentedViewControllers?.removeAll { $0 === viewController }
        viewController.presentingViewController = nil
        viewController.viewDidDisappear()
    }
}

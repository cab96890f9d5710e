// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
@_exported import Foundation

@MainActor open class UIDevice: NSObject {
    public static let current = UIDevice()
    public var name = "iPhone"
    public var model = "iPhone"
    public var systemName = "iOS"
    public var systemVersion = "18.0"
    public var identifierForVendor: UUID? = UUID()
}

@MainActor open class UIResponder: NSObject {}
@MainActor open class UIView: UIResponder {
    open var isHidden = false
}
@MainActor open class UIWindow: UIView {
    public var isKeyWindow = true
    public init(windowScene: UIWindowScene) { super.init() }
    public override init() { super.init() }
}
@MainActor open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
        case unattached = -1, foregroundActive, foregroundInactive, background
    }
    public internal(set) var activationState: ActivationState = .foregroundActive
}
@MainActor open class UIWindowScene: UIScene {
    public var windows: [UIWindow] = []
    public var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }
}
@MainActor open class UIApplication: UIResponder {
    public static let shared = UIApplication()
    public private(set) var connectedScenes: Set<UIScene> = []
    public var isProtectedDataAvailable = true
    public func shimConnect(_ scene: UIScene) { connectedScenes.insert(scene) }
    // Every class of Objective-C has these, by NSObject.
    public class func responds(to aSelector: Selector!) -> Bool { aSelector.shimName == "sharedApplication" }
    public class func perform(_ aSelector: Selector!) -> Unmanaged<AnyObject>! {
        responds(to: aSelector) ? Unmanaged.passUnretained(shared) : nil
    }
}
// Of ObjectiveC and Foundation, which have them on Apple's platforms alone.
public struct Selector: Hashable, Sendable {
    public let shimName: String
}
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(shimName: aSelectorName) }

public struct UITextContentType: RawRepresentable, Hashable, Sendable {
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
public enum UIKeyboardType: Int, Sendable {
    case `default`, asciiCapable, numbersAndPunctuation, URL, numberPad, phonePad, namePhonePad, emailAddress
}

@MainActor open class UIViewController: UIResponder {
    public init(nibName: String?, bundle: Bundle?) { super.init() }
    public override init() { super.init() }
    public required init?(coder: NSCoder) { return nil }
    public private(set) var presentedViewController: UIViewController?
    public private(set) weak var presentingViewController: UIViewController?
    public private(set) var isBeingDismissed = false
    open func viewDidDisappear(_ animated: Bool) {}
    open func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {
        guard presentedViewController == nil else { return }
        presentedViewController = controller
        controller.presentingViewController = self
        completion?()
    }
    /// Of what it presents, or else of itself.
    open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
        if let presented = presentedViewController {
            presented.isBeingDismissed = true
            presentedViewController = nil
            presented.presentingViewController = nil
            presented.viewDidDisappear(animated)
            presented.isBeingDismissed = false
            completion?()
        } else if let presenting = presentingViewController {
            presenting.dismiss(animated: animated, completion: completion)
        }
    }
}

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
}

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
